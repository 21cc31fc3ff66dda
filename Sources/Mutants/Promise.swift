/// What the engine promises, and one mutant each does not keep. A promise is named by what is so
/// when it is kept.
enum Promise: Sendable {
  // MARK: Reading

  /// A read begins while somebody writes, here or in another process.
  case readsWaitForNobody
  /// A realm that holds no version begins on the newest, whatever others of the file are on.
  case readsBeginOnTheNewest
  /// A query or a lookup leaves the realm on its version.
  case lookupsStayOnTheVersion
  /// An object looks for its row again when the realm's content has changed.
  case objectsAreFoundAnew
  /// Results found before a change of the running write are found again.
  case resultsFollowOwnWrites
  /// A loop visits the members that there were when it began.
  case loopsWalkAsBegun
  /// Who comes under the key of a member that a loop has before it is no member.
  case successorsAreNoMembers
  /// `invalidate` lets the version go.
  case invalidationLetsTheVersionGo

  // MARK: Writing

  /// A commit does not wait until older versions are read no more.
  case commitsWaitForNoReader
  /// A write is based on the newest version, not on the one its realm was on.
  case writesBeginOnTheNewest
  /// `write` commits when its block has returned.
  case writeCommitsItsBlock
  /// The block of an asynchronous write runs inside it.
  case blocksRunInTheWrite
  /// An error that a write's block throws cancels the write.
  case errorsCancelTheWrite
  /// A write that its block has ended is not ended again.
  case endedWritesAreLeftAlone
  /// A commit outside a write is an error.
  case strayCommitsAreTold
  /// Cancelling a write takes back what it has changed.
  case cancellingUndoes
  /// Objects that a cancelled write had added are invalid.
  case undoneObjectsAreInvalid
  /// Objects that a cancelled write had deleted can be used again.
  case cancellingRevivesTheDeleted
  /// A write without changes becomes a version like any other.
  case emptyWritesAreCommitted
  /// A realm is in a write if it began one itself.
  case writesAreTheirRealmsOwn
  /// A write that nobody can end any more is cancelled.
  case droppedWritesAreCancelled
  /// The lock of a process that died is taken from it.
  case theDeadHoldNoLock
  /// The lock is not left to one who died while it waited.
  case theDeadAreOfferedNothing
  /// Who ends to listen takes nobody's ear away.
  case listenersEndAlone
  /// What a begin tells listeners it tells them inside the write.
  case beginTellsInsideTheWrite
  /// Objects that a write added stay usable after it.
  case addedObjectsOutliveTheCommit
  /// A commit returns when others can see it.
  case commitsReturnPublished
  /// All changes of a write become visible at once.
  case writesAreOneCommit
  /// A commit writes what has changed, not what there is.
  case commitsWriteWhatChanged

  // MARK: Confinement

  /// What no realm manages may be used on any thread.
  case freeObjectsBelongToNobody
  /// What is frozen may be used on any thread.
  case frozenIsAtHomeEverywhere
  /// Each thread, queue and actor gets a realm of its own.
  case opensForEachHome
  /// The configuration of a realm may be asked for on any thread.
  case configurationIsForEveryone
  /// A realm that nobody holds any more is let go.
  case cacheHoldsWeakly
  /// Objects and collections keep their realm.
  case resultsKeepTheirRealm
  /// The last reference to a realm may go away on any thread.
  case realmsMayEndAnywhere
  /// A thread without run loop may open a realm.
  case threadsNeedNoLoop
  /// The home of an asynchronous write is free while the write waits for the lock.
  case beginsWaitElsewhere

  // MARK: Asynchronous writes

  /// Asking for an asynchronous write does not wait for the lock.
  case callsTakeNoLock
  /// The gate is not held for a home that has yet to come for the space that was looked for.
  case gateStaysOpenForBusyHomes
  /// A home that is late comes before those that asked after it.
  case lateHomesKeepTheirPlace
  /// Objects of before the call can be used in the block.
  case blocksSeeTheCallersObjects
  /// A completion is called when its write has ended.
  case completionsComeAfterTheWrite
  /// A failure without a completion to hear of it ends nothing.
  case unheardFailuresPass
  /// Blocks run in the order in which they were queued.
  case blocksRunInOrder
  /// Completions are called in the order of the commits.
  case completionsComeInOrder
  /// A realm performs asynchronous writes as soon as one was asked for.
  case busyFromTheCallOn
  /// A realm performs no asynchronous writes any more when all have ended.
  case idleWhenAllIsDone
  /// A synchronous write is none of the asynchronous ones.
  case plainWritesAreNotAsynchronous
  /// `invalidate` waits for what was committed asynchronously.
  case closingFinishesCommits
  /// `invalidate` drops the blocks that have not begun.
  case closingDropsWhatWaits
  /// `invalidate` waits for the lock that was asked for, and leaves it.
  case closingTakesTheLockBack
  /// The committing realm shows an asynchronous commit at once.
  case sealedWritesShowAtOnce
  /// `commitAsyncWrite` ends a write, however it was begun.
  case asyncCommitsEndAnyWrite
  /// Blocks queued behind one that cancels run all the same.
  case queueOutlivesCancelledBlocks
  /// Pending asynchronous operations have different ids.
  case idsAreUnique
  /// A block that was cancelled before it began never runs.
  case cancellingDropsTheBlock
  /// A completion that was cancelled in time is not called.
  case cancellingSilencesTheCompletion
  /// Cancelling what has ended, or never was, does nothing.
  case unknownIdsNameNothing
  /// Cancelling the block that runs does nothing.
  case runningBlocksCannotBeCancelled
  /// A synchronous write goes before asynchronous ones that have not begun.
  case plainWritesGoFirst
  /// An asynchronous write may be asked for inside a write.
  case writesMayBeQueuedInWrites
  /// A synchronous commit ends the asynchronous ones before it.
  case plainCommitsFinishEarlierOnes
  /// A synchronous begin waits for what is on its way to the disk.
  case beginsWaitForTheFlush
  /// The lock is kept until an asynchronous commit is on the disk.
  case lockOutlastsTheFlush
  /// Commits of a group share their flushes.
  case groupsShareTheirFlushes
  /// A commit without grouping is on the disk before the next block runs.
  case ungroupedCommitsAreBarriers
  /// An asynchronous commit tells the listeners of its realm before it returns.
  case sealTellsListenersAtOnce
  /// Asynchronous writes run whether or not the realm refreshes by itself.
  case asyncWritesNeedNoAutorefresh
  /// Asynchronous work keeps its realm until it has ended.
  case pendingWorkKeepsTheRealm
  /// Asynchronous commits go to the disk on another thread.
  case flushesGoOnElsewhere
  /// `asyncWrite` returns when its commit is on the disk.
  case asyncWriteWaitsForTheDisk
  /// Tasks that write asynchronously take turns.
  case tasksTakeTurns
  /// A task that was cancelled before its turn does not write.
  case cancelledTasksWriteNothing

  // MARK: References

  /// Objects without a primary key can be referred to.
  case referencesNeedNoKey
  /// A reference resolves in a realm of its own file.
  case referencesKnowTheirFile
  /// A reference resolves to the live thing.
  case resolvesToTheLive
  /// A resolved reference says so.
  case referencesKnowTheyAreSpent
  /// A reference to what is gone resolves to nil.
  case resolvesTheDeletedToNil
  /// References resolve outside writes, too.
  case resolvesOutsideWrites
  /// A realm older than a reference is refreshed before it resolves.
  case resolvingCatchesUp
  /// What this process has committed is found by reference before it is durable.
  case referencesFindWhatIsSealed
  /// A resolved reference keeps no version.
  case spentReferencesPinNothing
  /// A variable whose object was deleted names no other under its key.
  case variablesKnowTheirObject
  /// A reference made inside a write resolves after it.
  case referencesFromWritesResolve
  /// What was referred to stays usable.
  case referencesLeaveTheSourceAlone
  /// A reference resolves on the thread that made it, too.
  case referencesResolveAtTheirSource
  /// References to things of read-only realms can be made.
  case referencesNeedNoWriting
  /// References to frozen things can be made.
  case frozenThingsTravel
  /// A `@ThreadSafe` variable can be read any number of times.
  case threadSafeReadsAgain
  /// Whoever reads it sees what the one who read it before has written.
  case threadSafeFollowsItsReaders
  /// A `@ThreadSafe` variable names what was assigned last.
  case threadSafeCanBeRetargeted
  /// A `@ThreadSafe` variable is read from the realm of what it names.
  case threadSafeKnowsItsRealm
  /// A `@ThreadSafe` variable is read in the realm that its thread has open.
  case threadSafeJoinsTheThreadsRealm
  /// A `@ThreadSafe` variable carries collections, too.
  case threadSafeCarriesCollections

  /// Who looks up what became of a row lets the version go that it looked in.
  case whoFollowsRowsLetsGo
  /// What a frozen version was opened with is closed with it.
  case frozenVersionsCloseTheirFile
  /// Who ends listening leaves nobody who still waits.
  case endedListenersEndTheirThread

  // MARK: Refreshing

  /// `refresh` shows the newest version.
  case refreshComesToTheNewest
  /// `refresh` is true only if another version is shown.
  case refreshTellsWhetherItMoved
  /// `asyncRefresh` is true, too, if the realm has moved by itself before the call's turn came.
  case refreshTellsOfMovesMeanwhile
  /// `refresh` inside a write does nothing.
  case refreshLeavesWritesAlone
  /// `refresh` inside a listener's call does nothing.
  case refreshRestsWhileTelling
  /// A realm refreshes by itself unless told otherwise.
  case autorefreshIsOnAtFirst
  /// A realm whose autorefresh is off does not refresh by itself.
  case autorefreshCanBeTurnedOff
  /// `refresh` has told the listeners when it returns.
  case refreshTellsBeforeItReturns
  /// A refresh never leads to an older version.
  case refreshNeverGoesBack
  /// `asyncRefresh` of a cancelled task is false.
  case cancelledRefreshesAreFalse

  // MARK: Freezing

  /// What was frozen does not change.
  case freezingTakesASnapshot
  /// Collections freeze as objects do.
  case collectionsFreeze
  /// A realm that was frozen from goes on.
  case freezingLeavesTheLiveAlone
  /// Freezing reads no data.
  case freezingCopiesNothing
  /// Live objects stay live when their realm is frozen.
  case freezingARealmFreezesNoObjects
  /// Queries of a frozen realm see its version.
  case frozenRealmsAnswerFromTheirVersion
  /// `isFrozen` may be asked on any thread.
  case isFrozenIsForEveryone
  /// What no realm manages is not frozen.
  case freeThingsAreNotFrozen
  /// What is frozen is its own frozen copy.
  case freezingAgainChangesNothing
  /// A realm frozen twice at one version is one frozen realm.
  case oneVersionFreezesOnce
  /// All that was frozen at one version is read from one place in the file.
  case viewsShareTheirVersion
  /// What was thawed is live.
  case thawingComesToLife
  /// What is live is its own thawed copy.
  case thawingTheLiveChangesNothing
  /// What is gone thaws to nil.
  case thawingTheDeletedIsNil
  /// Thawing leaves the thread's realm on its version.
  case thawingRefreshesNothing
  /// What a live realm finds is live.
  case lookupsInLiveRealmsAreLive
  /// A snapshot keeps its version.
  case snapshotsArePinned
  /// When the last of a frozen realm goes, the live one stays open.
  case frozenEndsAlone
  /// A frozen realm that was invalidated cannot be read.
  case closedFrozenIsUnreadable
  /// Frozen copies of one object at one version are equal.
  case frozenCopiesAreEqual
  /// Frozen objects have the values of properties of all kinds.
  case frozenObjectsHaveAllValues

  // MARK: The file

  /// Opening a file does not read its data.
  case opensWithoutReadingAll
  /// Space that a crash lost is used again.
  case lostSpaceIsFound
  /// Who opens a file joins those who have it open.
  case openersAgree
  /// A file is compacted only while nobody has it open.
  case compactionWaitsForItsTurn
  /// Of two whole slots an opener follows the newer one.
  case openersFollowTheNewerSlot
  /// Nodes that a pinned version reaches stay as they are.
  case pinnedNodesStay
  /// Nodes that no version reaches any more are written over.
  case freedNodesAreReused
  /// A write is refused where too many versions are alive.
  case versionLimitsBite
  /// And only there.
  case versionLimitsBiteInTime

  // MARK: Notifications

  /// Modifications are positions of before the change.
  case modificationsAreOldPositions
  /// What a listener knows of a whole class lies where it stays.
  case listenersKnowRowsForGood
  /// What a listener changes in a begin is told to others when the write has ended.
  case changesOfABeginAreToldLater
  /// Who satisfies a query may depend on rows that are no members.
  case othersDecideWhoIsAMember
  /// Insertions are positions of after the change, deletions of before.
  case changesListTheirPositions
  /// What many changed rows mean is told as exactly as what few do.
  case largeStepsAreExact
  /// Setting a property to the value it has is a change.
  case sameValuesCountAsChanges
  /// Listeners whose collection did not change are not called.
  case untouchedCollectionsAreSilent
  /// A collection's listeners hear of changes of what its members link to.
  case collectionsLookOverLinks
  /// An object's listeners do not hear of changes of what it links to.
  case objectsLookAtThemselves
  /// Listeners with key paths are called for what these lead to.
  case keyPathsFilter
  /// Members that come and go are told whatever the key paths.
  case comingsAndGoingsAlwaysCount
  /// Without any key path only members that come and go are told.
  case emptyKeyPathsAreShallow
  /// A property's change tells the value of before.
  case changesTellTheOldValue
  /// Listeners are called when the realm shows what they are told of.
  case newsComeAfterTheStep
  /// A listener is told each change once.
  case listenersKnowWhatTheyWereTold
  /// Listeners on a queue or an actor are called there, with that place's own view.
  case listenersComeToTheirHome
  /// A token that nobody holds ends its listener.
  case droppedTokensEnd
  /// Only the first `invalidate` of a token is true.
  case tokensEndOnce
  /// A token that ended before its listener was registered prevents that.
  case endedTokensRegisterNothing
  /// What a write passes over for a listener is not told later.
  case skippedChangesStaySkipped
  /// A listener's call may begin a write.
  case listenersMayWrite
  /// Nobody is told of a cancelled write.
  case cancelledWritesAreNoNews
  /// Nobody is told when another process opens the file.
  case openingIsNoNews
  /// A listener that takes its time holds up none of other threads.
  case listenersHoldUpNobody
  /// A listener is called with the collection it was registered on.
  case listenersGetTheirCollection
  /// A listener that ends during the telling takes no other with it.
  case neighboursSurviveARemoval
  /// When a collection's owner is deleted its listeners are told a last time.
  case deletedListsSayFarewell
  /// An object's listeners are told of its deletion.
  case deletionIsToldOnce
  /// So are those who come to an object that has gone meanwhile.
  case lateListenersHearTheEnd
  /// A change over links backwards names the property that they are.
  case linksBackwardsAreNamed
  /// A listener that has heard nothing yet gets its first call before its realm's own write changes
  /// anything.
  case firstCallsComeBeforeWrites

  // MARK: Actors

  /// A realm for an actor is opened with the configuration given.
  case actorsOpenWhatTheyAskFor
  /// The actor is free while its realm's file is opened.
  case openingHappensOffTheActor
  /// When `observe` on an actor returns, the listener hears of the next change.
  case actorListenersAreInForce
  /// `observe` in a cancelled task registers nothing.
  case cancelledTasksListenToNothing

  // MARK: Life

  /// Realms of different files are different realms.
  case filesAreApart
  /// The default configuration is the one set last.
  case theDefaultCanBeChanged
  /// `invalidate` may be called again, and before any read.
  case invalidatingNothingIsHarmless
  /// `invalidate` inside a listener's call does nothing.
  case invalidationRestsWhileTelling
  /// `invalidate` leaves realms of other threads alone.
  case invalidationIsTheRealmsOwn
  /// Realms in memory with one identifier share their data.
  case memoryIsShared
  /// Where all is to be checked, nothing is read that does not match its checksum.
  case whatIsReadIsCompared
  /// Nobody else comes in while the first one opens a file.
  case openersComeOneByOne
  /// Files that are open are not deleted.
  case openFilesAreNotDeleted
  /// Objects that were deleted are invalid.
  case deletedObjectsAreInvalid
  /// A copy of the file is of the version that the realm is on.
  case copiesShowTheRealmsVersion
  /// A copy of the file overwrites no other file.
  case copiesOverwriteNothing
  /// An object copied out of a realm keeps nothing of it.
  case copiesPinNothing
  /// `asyncOpen` opens the realm for its callback's queue.
  case asyncOpenBindsToItsQueue

  // MARK: Data

  /// `!=` a value finds objects without one, too.
  case unequalFindsNull
  /// Null is neither below a value nor above, and is no zero.
  case nullHasNoOrder
  /// `[c]` folds every letter.
  case everyLetterFolds
  /// An index is read at the version that its rows are read at.
  case indexesFollowTheVersion
  /// Where the first property of a sort is the same the next one decides.
  case laterOrdersBreakTies
  /// Sorts and `distinct` apply as they were asked for.
  case orderingsApplyInTurn
  /// The first of a sort satisfies the filter.
  case firstOfSortIsFiltered
  /// Null is neither the least nor the greatest.
  case aggregatesLeaveOutNull
  /// Sections are told apart by what their keys are stored as.
  case sectionsAreOfOneStoredKey
  /// NaN is neither the least nor the greatest, wherever it stands.
  case aggregatesLeaveOutNaN
  /// There is no mean of nothing.
  case meanOfNothingIsNone
  /// The ways back through two properties are two.
  case linkersAreOfOneProperty
  /// What links twice is there twice.
  case linkersAreCounted
  /// The way back to a list stays as long as the list links once.
  case repeatedLinksKeepTheWayBack
  /// A list that has an object twice loses both when it is deleted.
  case deletedLeaveEveryPlace
  /// A migration makes objects of a class that has one with the greatest key.
  case theGreatestKeyLeavesRoom
  /// Null as primary key names one object.
  case nullKeysAreUnique
  /// What says which values are null moves with them.
  case nullsStayWithTheirRows
  /// A member that is moved is then where it was moved to.
  case movesEndWhereAsked

  // MARK: What nobody had planned

  /// A loop keeps the version that it walks.
  case loopsKeepTheirVersion
  /// A map is walked at home only.
  case mapsAreWalkedAtHome
  /// A collection is changed at home only, also while its realm is in a write.
  case collectionsChangeAtHome
  /// A queue is known by what it is, not by its label.
  case queuesAreThemselves
  /// A block of a queue that targets the realm's is at home.
  case targetedQueuesAreHome
  /// A realm that does not refresh by itself is told of each commit.
  case everyCommitAsksForARefresh
  /// `Realm()` asks which configuration is the default one now.
  case theDefaultIsOfTheMoment
  /// Who decides about compacting is told the size first, then what is used.
  case compactionKnowsSizeFromUse
  /// All processes that listen are woken.
  case everyProcessHears
  /// What was deleted and came again is news.
  case comingBackIsNews
  /// More changes than a record holds are found by comparing.
  case manyChangesAreCompared
  /// Who finds out anew which space is free asks what others hold.
  case spaceIsFreeForEveryone
  /// A reference made in a write leads to that write.
  case referencesNameTheirWrite
  /// An actor whose executor is its own is checked like others.
  case ownExecutorsAreChecked
  /// A task that was cancelled gives up its place in the line.
  case cancelledTasksLeaveTheLine
  /// A turn that was lent comes back when the realm is invalidated.
  case lentTurnsComeBack
  /// A realm lets the last frozen one go when it moves on.
  case theLastFrozenIsLetGo
  /// A version counts once, however many hold it.
  case versionsCountOnce
  /// The dead hold no version.
  case theDeadHoldNoVersion
  /// A commit that allows no grouping is a barrier behind others that do, too.
  case barriersStandBehindGroups
  /// A write that cannot begin tells its completion.
  case failedBeginsAreTold
  /// All of a group that failed hear of it.
  case everyoneOfAGroupHears

  // MARK: The second set

  /// A filter is made anew for each state of its realm.
  case filtersAreMadeAnew
  /// A lookup by any key begins a read where there is none.
  case lookupsBeginARead
  /// What a cancelled write deleted is forgotten.
  case cancelledDeletionsAreForgotten
  /// Objects that a failed commit had added are invalid for ever.
  case failedCommitsUndoTheirObjects
  /// A write that comes to the newest version reads what was deleted.
  case writesReadDeletions
  /// Rows that are deleted side by side go like any others.
  case neighboursGoLikeOthers
  /// Thawing asks what the running write has deleted.
  case thawingAsksTheWrite
  /// A frozen realm that is closed closes what was read of it.
  case closingReachesWhatWasRead
  /// invalidate() leaves the settings of a realm alone.
  case invalidationKeepsSettings
  /// Commits of a turn that invalidate() ends complete.
  case brokenTurnsComplete
  /// Tasks that wait end with invalidate().
  case waitingTasksEnd
  /// A task whose turn was taken keeps its place.
  case tasksKeepTheirPlace
  /// A block that throws gives its turn back.
  case thrownBlocksReturnTheTurn
  /// Commits that are told together tell all they set.
  case joinedCommitsTellAll
  /// What is told in a round is looked up anew when the realm has moved.
  case nestedNewsAreWhole
  /// A filter tells of modified members where they were.
  case filtersTellOldPositions
  /// A version that no listener needs is let go.
  case listenersLetVersionsGo
  /// As many versions as are allowed may live.
  case asManyVersionsAsAllowed
  /// What a failed commit wrote is free again.
  case failuresGiveSpaceBack
  /// What each commit of a group let go is free again.
  case groupsGiveSpaceBack
  /// Objects that a cancelled write added side by side all stay invalid.
  case neighboursStayInvalid
  /// What a failed commit had deleted is usable again.
  case failedDeletionsComeBack
  /// A realm that was opened twice goes with its last reference.
  case openedTwiceIsKeptByNobody
  /// A commit whose completion was cancelled keeps its place among the others.
  case silencedCommitsKeepTheirPlace
  /// `refresh` tells of what the realm itself has written.
  case refreshTellsOwnWrites
  /// The first objects of a class are told, however many they are.
  case firstObjectsAreCompared
  /// Which classes link to one is looked up again when the schema has grown.
  case laterClassesLetGo
  /// However long a line of blocks is, all of it runs.
  case longLinesLoseNobody
  /// Members of a filter stand in order however many came.
  case manyComeInOrder
  /// The first of a large sort is the first by all properties.
  case firstOfSortBreaksTies
  /// A group whose commits have places of their own is flushed twice.
  case groupsWithPlacesFlushTwice
  /// Whoever waits for the gate keeps the actor whose write it is.
  case waitingKeepsTheActor
  /// A listener that is called by a commit in the background finds it under way.
  case listenersFindCommitsUnderWay
  /// A single flush stands on a checksum of all that a commit wrote, wherever it lies.
  case checksumsCoverAllRuns
  /// A commit that goes to the disk with others returns when it has got there.
  case sharedCommitsAreWaitedFor
  /// A write that is let in on top of a sealed one goes on from that.
  case sharedWritesGoOn
  /// What a write was begun on is durable before it is handed on.
  case sealedBasesAreSettled
  /// Completions keep their order though one of them writes.
  case writingCompletionsKeepTheOrder
  /// The first members of a query are found anew when the content has changed.
  case firstMembersAreFoundAnew
  /// Collections of objects that a cancelled write added are gone.
  case undoneCollectionsAreGone
  /// An object is looked up by a text where its realm is at home.
  case textsAreLookedUpAtHome
  /// However many realms are open, each is found again.
  case manyRealmsAreKnown
  /// A queue's realm and that of the thread which runs it are two.
  case queuesAndThreadsAreTwo
  /// A plain commit tells of the group that it takes along.
  case plainCommitsTellOfGroups
  /// A realm that is newer than a reference stays where it is.
  case newerRealmsStay
  /// A collection is not found when its object is gone.
  case collectionsGoWithTheirObject
  /// What a variable is assigned is remembered as what it began with is.
  case assignedObjectsAreRemembered
  /// Steps that were looked into elsewhere read what went as others do.
  case foreseenStepsReadDeletions
  /// In the call of a listener that was the last one a refresh does nothing, either.
  case lastCallsDoNotRefresh
  /// Several objects at once are deleted in their own realm only.
  case wholesAreDeletedAtHome
  /// Of rows side by side each is told with its own properties.
  case neighboursAreToldApart
  /// Members that are alike are told one by one.
  case twinsAreTold
  /// A listener of sections goes on from what it skipped.
  case skippedSectionsGoOn
  /// Links in mixed values are looked over as any.
  case mixedLinksAreLookedOver
  /// A listener that waits for its queue keeps the version from which on it is told.
  case waitingListenersKeepTheirVersion
  /// Who has the file open lets go what the dead held.
  case theLivingClearTheDead
  /// Deleting all there is notes what goes.
  case allThatGoesIsNoted
  /// A map loses a deleted object under each of its keys.
  case mapsLoseEveryValue
  /// A list of embedded objects that is given fewer has fewer.
  case shorterListsEndEarlier
  /// A block that ends its write itself gives the turn back.
  case endedBlocksReturnTheTurn
  /// What a write adds under the key of what it deleted goes when it is cancelled.
  case replacedRowsAreTakenBack
  /// A set is made what it is given, and loses all others.
  case setsBecomeWhatIsGiven
  /// Of objects found in an order the last has a position, too.
  case lastOnesHavePositions
  /// A variable that is read inside a write does not name what has come under its object's key.
  case variablesKnowTheWrite
  /// A variable that was nil inside a write which was cancelled names its object again.
  case cancelledWritesEndNoVariable
  /// A key that is taken out of a map is a change like any other.
  case removedKeysAreChanges
  /// What comes with an object that is added has the limit that values have.
  case addedValuesHaveALimit
  /// An id names one commit, or none.
  case idsNameOneCommit
  /// What comes while a home looks for news is looked for, too.
  case bellsRingAgain
  /// A block that commits nothing is rolled back, whatever is open.
  case leftBlocksAreRolledBack
  /// A variable that is read lets the version go that it had.
  case variablesLetTheirVersionGo
  /// Files are told apart by all of their path.
  case filesAreToldByTheirPath
  /// A change of a collection in a mixed value is one for all who have it.
  case nestedChangesAreChanges
  /// The first object of a class is a change like any other.
  case firstObjectsAreChanges
  /// Whoever remembers a row learns of every deletion in a commit, and not only of the first.
  case recordsAreReadToTheirEnd
  /// Records that go leave word of what was deleted.
  case recordsLeaveTheirDeletions
  /// A loop in a write leaves whoever was kept of it alone.
  case keptObjectsStayInWrites
  /// A loop does not come to a row that was deleted and lies in its cluster yet.
  case leavingRowsAreGone
  /// A loop that begins between the commits of a group walks rows where they stay.
  case loopsWalkWhereRowsStay
  /// Who comes under the keys of a cancelled write is no member of a loop that began in it.
  case cancelledMembersHaveNoHeirs
  /// Who begins to listen in a write that is cancelled gets a first call.
  case cancelledWritesLetFirstCallsCome
  /// A class that was asked for before its first object has that.
  case emptyClassesFillUp

  // MARK: The seventh set

  /// What was found of a list is asked anew when two of its elements have changed places.
  case swappedListsAreAskedAnew
  /// A loop in a write visits members that its body has deleted, however far it has come.
  case deletedMembersAreVisited
  /// In a write a realm is empty if the write has left nothing.
  case emptinessIsThatOfTheWrite
  /// A row that came under a key whose row the same write had deleted is told from that one.
  case keysGivenAgainAreTold
  /// Of a chain of new objects all are added, however deep it is.
  case deepChainsAreAddedWhole
  /// Whether a realm is empty is asked at home.
  case emptinessIsAskedAtHome
  /// A map is asked for the value of a key at home.
  case mapsAreLookedUpAtHome
  /// A realm of a queue is opened on the queue, also if it is open there already.
  case openedQueuesAreEntered
  /// A commit without grouping behind grouped ones ends the turn.
  case barriersEndGroups
  /// A block that was queued in a write is asked for when its commit has failed.
  case failedWritesLetBlocksRun
  /// The completions of a group that a synchronous commit took along are told.
  case takenGroupsAreTold
  /// What a cancelled write had added is gone for those who refer to it.
  case cancelledRowsAreGoneForGood
  /// However many variables there are, each hears that its object is gone.
  case manyVariablesAreRemembered
  /// All of a query's orderings go along to another realm.
  case allOrderingsTravel
  /// What is forgotten of rows that have gone is only what nobody can ask for.
  case sweptRowsStayGone
  /// A realm that shows no version and does not move by itself is told that a refresh is due.
  case unreadRealmsAreBehind
  /// Beginning to listen moves no realm.
  case observingStays
  /// A frozen object within a list or dictionary of a mixed value is no link.
  case nestedFrozenAreRefused
  /// Thawing in a write sees what that write has deleted.
  case runningDeletionsAreSeenByThaw
  /// Collections of mixed values look through the links that they hold.
  case mixedMembersReachFar
  /// After a commit that failed another one's version of that number is news.
  case lostNumbersAreNews
  /// A file shorter than a header is no empty one.
  case shortFilesAreRefused
  /// A listener that ends before it was told lets the version go that it knew.
  case endedListenersLetGo
  /// A realm that is invalidated keeps no frozen one.
  case invalidatedRealmsLetSnapshotsGo
  /// A copy that was made in a write has every index.
  case copiesHaveAllIndexes
  /// A copy of an object has the collections within its lists of mixed values for itself.
  case copiesReachIntoLists
  /// The first of an indexed filter is that of the least key, be it negative.
  case firstOnesHaveLeastKeys
  /// `IN` finds null among UUIDs and object ids.
  case identitiesInAreNull

  // MARK: The eighth set

  /// A loop over a map visits the entries that there were when it began.
  case mapsAreWalkedAsBegun
  /// The row that was written last is looked for again when others have been deleted.
  case writtenRowsAreFoundAnew
  /// A property is set in all members that there were when that began.
  case membersAreSetAsBegun
  /// What a list is to get is read before the list is emptied.
  case assignedIsReadFirst
  /// Of a key that was given twice in a write the first time counts.
  case everyReturnCounts
  /// Adding what a set has already takes a write, too.
  case knownMembersNeedAWrite
  /// A thread that ends in the middle of a write ends it.
  case writesEndWithTheirThread
  /// An object that was deleted cannot be added.
  case deletedOnesCannotBeAdded
  /// Whoever asks for the place of an object is looked at first.
  case placesAreAskedForAtHome
  /// Asynchronous work is cancelled at home only.
  case workIsCancelledAtHome
  /// The main thread is itself in blocks of other queues, too.
  case mainThreadStaysMain
  /// A queue's block is at home there on the main thread, too.
  case mainThreadVisitsQueues
  /// A turn that is needed at once waits for nobody who is still to come.
  case urgentOnesWakeTheGate
  /// A block that is dropped completes with nothing.
  case droppedBlocksAreSilent
  /// Work that runs is under way.
  case runningWorkIsBusy
  /// Who is told that a write could not begin is in a completion.
  case failedBeginsAreCompletions
  /// A reference that was made in a write leads to what the write made.
  case referencesAwaitTheirWrite
  /// A reference to an object of a commit that is lost finds nothing.
  case lostCommitsEndReferences
  /// A reference to a frozen object knows what has become of it since.
  case frozenReferencesLookBack
  /// What others delete is read for classes that are known by name alone, too.
  case namelessClassesLoseRows
  /// A step that was looked into elsewhere is made if autorefresh is still on.
  case stepsAskForAutorefresh
  /// What helps to find rows is of the version that is shown.
  case signpostsFollowTheVersion
  /// Results of a list know whose it was.
  case resultsKnowTheirOwner
  /// Deletions are read of all classes of which something is frozen.
  case laterFrozenClassesAreFollowed
  /// Of a row that has gone more than once each time is remembered.
  case everyEndIsKnown
  /// A listener that is skipped before its first call gets that.
  case unheardListenersGetAFirstCall
  /// A row that was added and then set was added.
  case addedRowsStayAdded
  /// A change concerns sections in all classes that can be reached.
  case sectionsLookFar
  /// Who links less often than before is told to listeners of links backwards.
  case linkersAreToldByNumber
  /// Of every file that is open at a home other processes' commits are heard.
  case homesTurnForEachFile
  /// Others are let in before a task that is long in coming.
  case lentTurnsEnd
  /// Two actors on one executor are two homes.
  case actorsOnOneExecutorAreTwo
  /// Whoever shares a flush is told that it failed.
  case sharedFailuresAreToldToAll
  /// A write looks whether its file still has its name.
  case writesGoToTheirName
  /// What was found out for a step goes when the step has been made.
  case stepsThatWereMadeAreLetGo
  /// A place that pins has the kind of whoever has it.
  case placesHaveTheirOwnersKind
  /// A completion that has been called is let go.
  case calledCompletionsGo
  /// Whether a callback is wanted is asked right before it is called.
  case openingIsWantedToTheEnd
  /// Numbers are computed over the members, and nobody else.
  case numbersComeFromMembers
  /// A later sort decides, by whatever property.
  case laterSortsDecide
  /// Whoever uses space again looks at all pins, however many there are.
  case latePinsCount
  /// Long runs of rows that a cancelled write deleted at once are back for their accessors.
  case longRunsComeBack
  /// A collection in a mixed value is back when the write that took it is cancelled.
  case nestedOnesComeBack
  /// However many queues are busy, the end of a flush comes to each on that queue.
  case crowdedQueuesAreVisited
  /// A completion stays one while others become due in it.
  case outerCompletionsStayCompletions
  /// A snapshot knows of rows that went after it, though others look no further back.
  case olderSnapshotsLookFurtherBack
  /// The version that a realm showed before invalidate is no news to its listeners.
  case knownVersionsAreNoNews
  /// Modifications ascend, whether members were changed or lead to what was.
  case modificationsAscend
  /// A key path tells of its own property, however many there are before it.
  case farColumnsAreTold
  /// What was found out for one step is told of that step only.
  case forecastsFitTheirStep
  /// Typed key paths on an actor lead over links.
  case typedPathsAreWhole
  /// A listener is told that its object is gone where it comes to on an actor.
  case actorsAreToldOfEnds

  // MARK: The ninth set

  /// Who was not found under a key is looked for again.
  case lookedForAnew
  /// A filter's first member is found in a write as soon as it is there.
  case firstOnesAreFoundInWrites
  /// The additions of a cancelled write are taken back in every class.
  case allClassesAreTakenBack
  /// What was deleted together comes back with a cancelled write.
  case cancelledSweepsBuryNobody
  /// Sections are confined when they have been found, too.
  case knownSectionsAreConfined
  /// A thread that has left a queue is not on it.
  case threadsLeaveTheirQueue
  /// What is opened without a queue is the thread's, on a queue, too.
  case plainRealmsAreOfTheThread
  /// A commit without a completion is work as well.
  case silentCommitsAreWork
  /// What is cancelled in a write is cancelled.
  case cancelledInWrites
  /// Listeners of a realm are told of a grouped commit in the call.
  case groupsTellInTheCall
  /// A write whose block throws wakes what was queued in it.
  case thrownWritesWakeOthers
  /// A realm that is older than a reference is refreshed, whatever it finds.
  case olderRealmsAreRefreshed
  /// A reference that was made in a write knows its row from a later one.
  case referencesKnowTheirRow
  /// A realm is told each time that it is behind.
  case toldBehindEachTime
  /// That a realm does not follow is forgotten with it.
  case autorefreshEndsWithItsRealm
  /// A frozen realm that was closed is not given out again.
  case closedOnesAreMadeAnew
  /// Equal frozen objects have the same hash.
  case twinsHashAlike
  /// All tokens that are named are passed over.
  case eachTokenIsSkipped
  /// Who was ended by a neighbour's call is not called any more.
  case theEndedHearNothing
  /// Deletions name the section by where it was.
  case deletionsNameTheOldSection
  /// A link in the middle of a key path counts.
  case linksOnTheWayCount
  /// After the realm's own work that of others has old values.
  case othersWorkHasOldValues
  /// A task whose block throws gives its turn back.
  case thrownTurnsAreReturned
  /// A realm in which a task has written is let go.
  case writtenRealmsAreLetGo
  /// Of two slots the one with the higher version counts.
  case versionsAreWholeNumbers
  /// What a failed commit had added is gone for those who hold it.
  case failedOnesHaveNoHeirs
  /// Appending to a list costs what is appended.
  case appendsCostLittle
  /// The last listener's version is let go with it.
  case theLastLetsItsVersionGo
  /// A begin that is refused has left the gate.
  case refusedBeginsLeave
  /// A copy of an object has a map of its own.
  case copiesHaveOwnMaps
  /// A token that ends elsewhere lets the realm go.
  case endedElsewhereLetsGo
  /// A copy that is refused leaves what is there as it is.
  case refusedCopiesTouchNothing
  /// Each sort descriptor has a direction of its own.
  case tiesGoTheirOwnWay
  /// An object that is still in a list is linked to.
  case otherPlacesStillLink
  /// An update writes nil where nil is given.
  case updatesWriteNil
  /// What was null is found in the index once it is set.
  case formerNullsAreIndexed
  /// All nulls are one to `distinct`.
  case nullsAreAlike
  /// In a pattern `?` stands for a character.
  case questionMarksAreCharacters
  /// A merge hands over what is there first, then what comes.
  case mergesKnowTheirSides
  /// The greatest of negative numbers is negative.
  case theGreatestMayBeNegative

  // MARK: Of the clauses' breadth

  /// A commit behind a write that was cancelled is flushed as any other.
  case commitsBehindCancelledOnesAreFlushed
  /// Nodes of any size wait for those who may read them.
  case largeNodesWaitForReaders
  /// A commit beside versions that are held writes what changed.
  case commitsBesidePinsWriteWhatChanged
  /// What indexes and sets let go is used again.
  case pairsAreReused
  /// Who may only read opens the newest version, too.
  case readersOpenTheNewest
  /// An asynchronous write begins on the newest version, wherever its realm is.
  case asyncWritesBeginOnTheNewest
  /// A block that throws ends the write that it has begun itself, too.
  case thrownBlocksEndWhatTheyBegan
  /// A commit behind an asynchronous one has no write, however far that has come.
  case commitsUnderWayAreNoWrites
  /// An empty commit is told, also if it is asynchronous.
  case emptyAsyncCommitsAreTold
  /// A realm is in no write while the disk works for it.
  case flushesAreNoWrites
  /// `invalidate` takes an asynchronous write back, too.
  case asyncWritesAreInvalidated
  /// `invalidate` in a call rests, of whatever that tells.
  case invalidationRestsInEachCall
  /// A cancelled write is undone in memory, too.
  case memoryUndoes
  /// What a realm had frozen outlives its `invalidate`.
  case frozenOnesOutliveInvalidate
  /// A cancelled asynchronous write is no news.
  case cancelledAsyncWritesAreNoNews
  /// A set whose owner goes is told once more.
  case deletedSetsSayFarewell
  /// Describing an object keeps nothing.
  case descriptionsPinNothing
  /// What is forgotten at the begin of a write is not of that write.
  case forgettingSparesTheRunningWrite
  /// A set without a realm is not frozen.
  case freeSetsAreNotFrozen
  /// Freezing a frozen set gives that set.
  case frozenSetsFreezeToThemselves
  /// Thawing a live set gives that set.
  case liveSetsThawToThemselves
  /// What a set is given may be managed, too.
  case managedSetsAreArguments
  /// Whether a map is frozen is told anywhere.
  case mapsTellEveryone
  /// A map without a realm can be neither frozen nor thawed.
  case freeMapsCannotBeFrozen
  /// A map whose owner has gone cannot be frozen.
  case goneMapsCannotBeFrozen
  /// Where both maps have a key, the block decides.
  case mapsAreMergedAsAsked
  /// A map without a realm has no listeners.
  case freeMapsCannotBeObserved
  /// A frozen object is another one than the live one.
  case sameObjectsAreOfOneRealm
  /// A case of an enumeration is kept whatever its raw value is.
  case casesOfAllSizesAreKept
  /// All of a sequence are added by the policy that was given.
  case sequencesKeepTheirPolicy
  /// Who deletes no files says so.
  case absentFilesAreNotDeleted
  /// `Realm.open` gives the realm that the actor has.
  case openGivesTheActorsRealm
  /// The token of any listener of another realm is refused.
  case allStrangersTokensAreRefused
  /// What a frozen realm was opened with opens live ones.
  case frozenConfigurationsOpenAll
  /// A freeze in a write is of the version that it began on, whatever was frozen before.
  case freezesInWritesAreOfTheirBegin
  /// A refresh in an asynchronous write is none, and says so.
  case asyncWritesAreNotRefreshed
  /// Autorefresh can be set in a write.
  case autorefreshIsSetInWrites
  /// A commit that may be grouped needs a write like any other.
  case groupedCommitsNeedAWrite
  /// Each of several key paths names something.
  case eachKeyPathIsLookedAt
  /// A typed path sorts down, too.
  case pathsSortBothWays

  // MARK: The tenth set

  /// What was deleted together is a change to what was found before.
  case deletedTogetherIsAChange
  /// A lookup by a text begins a read.
  case textLookupsBeginARead
  /// A block that has ended its write may throw.
  case endedBlocksMayThrow
  /// Emptying a collection needs a write, also if it is empty.
  case emptyingNeedsAWrite
  /// Links backwards are confined when they have been found, too.
  case knownLinkersAreConfined
  /// A realm of a queue hears of other processes.
  case queuesHearOfOthers
  /// No concurrent queue has a realm, global or not.
  case concurrentQueuesAreRefused
  /// Cancelling a block leaves the others in their order.
  case cancellingKeepsTheOrder
  /// A commit outside of an asynchronous turn is work, too.
  case commitsOfPlainBeginsAreWork
  /// What was queued in a write that is cancelled is asked for.
  case cancelledWritesWakeOthers
  /// What a block asks for comes behind all that wait.
  case nestedRequestsGoLast
  /// Who finds a variable's object gone is noted as having seen it.
  case goneIsRemembered
  /// A reference to distinct results leads to distinct ones.
  case referencesKnowDistinct
  /// The first use of a class leaves the realm on its version.
  case newClassesLeaveTheVersion
  /// A refresh moves the realm before it returns, however far.
  case refreshDoesNotWait
  /// A frozen realm knows classes that nobody had used.
  case lateClassesAreFrozen
  /// A live realm is frozen at home, also a second time.
  case knownSnapshotsAreConfined
  /// What a map's listener is to skip it is told no more.
  case skippedMapsGoOn
  /// A run of changed rows is told to its end.
  case runsAreToldToTheirEnd
  /// A change of a collection has no new value.
  case collectionsHaveNoNewValue
  /// Who begins to listen in a listener's call gets a first one.
  case callsMayAddListeners
  /// A process that does not listen wakes the one that does.
  case loneListenersAreWoken
  /// Typed key paths of a collection count on an actor, too.
  case typedPathsOfMembersCount
  /// What is observed elsewhere is handed over at home.
  case handingOverAsksForTheHome
  /// A version keeps the nodes that were made for it.
  case birthVersionsCount
  /// A change of a map costs what is changed.
  case keysCostLittle
  /// Deleting all there is frees indexes and links backwards.
  case emptiedClassesLetGo
  /// A limit of versions counts those that are frozen.
  case frozenVersionsCount
  /// A deleted object's collections are freed.
  case deletedListsLetGo
  /// A copy made in a write has the links backwards.
  case copiesLinkBack
  /// A realm in memory ends with the last who has it open.
  case memoryEndsWithItsRealms
  /// A copy of an object has collections of its own in mixed values.
  case copiesHaveOwnMixedCollections
  /// All of no members satisfy anything.
  case allOfNothingIsTrue
  /// NOT is about the one condition behind it.
  case notTakesOne
  /// In a descending order null comes last.
  case nullTurnsWithTheOrder
  /// A mean is that of the values that there are.
  case meansLeaveOutNull
  /// A range does not contain its upper bound.
  case rangesEndBeforeTheirEnd
  /// Nulls are in an index.
  case nullsAreIndexed
  /// An index that is added has the objects that there are.
  case lateIndexesAreFilled
  /// A set that was held when its object was added is the object's.
  case heldSetsAreAdopted
  /// A UUID is told from another by all of its bytes.
  case idsCountInFull
  /// The sum of members is as large as it is.
  case sumsOfMembersAreWhole
  /// A range of members does not contain its upper bound.
  case rangesOfMembersEndBeforeTheirEnd
  /// What is distinct by several properties is so by all of them.
  case distinctByAllOfThem
  /// A cancel outside of a write is refused, whatever goes on in the background.
  case strayCancelsAreRefused
  /// A set is a subset of one that has all that it has.
  case subsetsAreByMembers
  /// A whole number beside a fraction is compared with the fraction.
  case fractionsAreNotCut
  /// A class has as many objects as the version that is shown, whatever somebody else writes.
  case countsAreOfTheVersion
  /// Numbers that were computed before a change of the running write are computed again.
  case sumsFollowOwnWrites
  /// A text leads as a key to the row that has it now.
  case textsAreLookedUpAnew
  /// An error of a block is thrown on as it is.
  case errorsComeAsTheyAre
  /// What a cancelled write has updated was there before, and is.
  case updatesAreNoAdditions
  /// A property of all members is set in a write.
  case settingMembersNeedsAWrite
  /// A realm's listeners are told of commits that are made.
  case realmListenersFollowTheCommit
  /// A refresh asks for the home, also if there is nothing new.
  case quietRefreshesAreConfined
  /// An object's schema is told to any thread.
  case schemasAreForEveryone
  /// An asynchronous write of a queue's realm is asked for on the queue.
  case queuesAreAskedAtHome
  /// A file may be open for several queues.
  case queuesShareTheirFile
  /// Cancelling what is over is nothing, and no error.
  case strangersIDsAreNoErrors
  /// A completion that a plain commit has called is not called again.
  case completionsAreCalledOnce
  /// Who ends the write in its block gets no completion of the write that it asked for.
  case endedBlocksAreToldNothing
  /// A plain commit may end what was begun asynchronously.
  case blocksMayCommitPlainly
  /// A reference that goes unresolved lets its version go.
  case droppedReferencesUnpin
  /// Making a reference leaves the realm on its version.
  case referringLeavesTheVersion
  /// A reference is resolved at the realm's home.
  case resolvingIsConfined
  /// A refresh over commits of nothing is one.
  case emptyCommitsAreSteps
  /// What is told of a step that was made does not depend on autorefresh.
  case newsNameThemselves
  /// Turning autorefresh on leaves the realm on its version for now.
  case turningOnLeavesTheVersion
  /// Frozen results are in the order of the live ones.
  case frozenResultsAreSorted
  /// A frozen object is not added, whatever the policy.
  case frozenOnesAreNotAdded
  /// Each of several key paths counts.
  case allKeyPathsCount
  /// A realm's listener is skipped like any other.
  case realmTokensAreSkipped
  /// A member that changes places goes and comes.
  case movesAreTold
  /// A map's listener hears of changes of the objects in it.
  case mapsLookOverLinks
  /// A collection's listener looks over four links.
  case fourLinksAreNear
  /// The token of a cancelled task has ended.
  case stillbornTokensHaveEnded
  /// An actor's realm refreshes by itself, also if nobody listens.
  case unheardActorsMove
  /// A change of an index costs what is changed.
  case indexesAreChangedInPlace
  /// A commit may succeed after one that failed.
  case failuresAreForgotten
  /// A realm that moves on lets the version go that it was on.
  case leftVersionsAreLetGo
  /// Embedded objects go with what owns them.
  case ownedOnesGoWithTheirOwners
  /// Realms are equal if they are one instance.
  case instancesAreCompared
  /// Opening a file leaves the default as it is.
  case openingLeavesTheDefault
  /// A search in a text tries each place.
  case searchesGoBack
  /// Intersecting sets looks at each member.
  case intersectionsLookAtAll
  /// The position of a match is that in the order asked for.
  case positionsFollowTheSort
  /// An object is found once, however often its value is given.
  case foundOnceIsEnough

  // MARK: The twelfth set

  /// An accessor says where a link leads now, whoever has set it.
  case linkedObjectsAreFoundAnew
  /// A realm that was invalidated begins to read when somebody asks.
  case invalidatedRealmsBeginLazily
  /// Whoever asks for objects waits for no flush.
  case queriesLeaveFlushesAlone
  /// What was found in a write that is cancelled is looked for again.
  case cancelledAnswersAreForgotten
  /// A write whose commit fails has ended.
  case failedCommitsEndTheirWrite
  /// An object that the realm has is not added again.
  case ownObjectsAreThereAlready
  /// A megabyte has 1024 times 1024 bytes.
  case megabytesAreWhole
  /// A realm is invalidated at home.
  case invalidatingIsConfined
  /// Opening a realm that is open leaves its autorefresh as it is.
  case openingAgainLeavesAutorefresh
  /// Who opens for a queue from outside is told so.
  case queuesRefuseInTheirWords
  /// A queue's listeners are told of what its realm has written.
  case queuesHearOfThemselves
  /// A block that commits by itself waits in the same line as others.
  case beginsKeepTheirPlace
  /// Each commit of a group has its completion called.
  case allOfAGroupComplete
  /// A completion may write, without waiting for it.
  case completionsMayWrite
  /// Twenty commits are the most that share a flush.
  case twentyShareAFlush
  /// A reference is good until it is resolved, whatever becomes of its realm.
  case referencesOutliveTheirRealm
  /// A variable names what it was assigned last, of whichever file.
  case variablesChangeTheirFile
  /// A variable is resolved for each thread that reads it.
  case variablesResolveForEachThread
  /// Opening a realm that is open leaves it on its version.
  case openingAgainLeavesTheVersion
  /// A home that was rung for nothing can be rung again.
  case needlessRingsAreAnswered
  /// A frozen realm does not refresh by itself, and says so.
  case frozenRealmsDoNotAutorefresh
  /// After an own commit another version is frozen.
  case ownCommitsAreAnotherVersion
  /// What links to a frozen object is frozen, too.
  case frozenLinkersAreFrozen
  /// What was committed before a first call is not told after it.
  case firstCallsTakeInThePast
  /// A wrong key path names the class that lacks the property.
  case wrongPathsNameTheirClass
  /// Changes of the realm's own have no old values.
  case ownWorkHasNoOldValues
  /// An object that is modified is told at each place that it has.
  case eachPlaceIsModified
  /// Which listeners a cancelled write was to skip is forgotten.
  case cancelledWritesSkipNobody
  /// A task that was cancelled throws that it was.
  case cancelledTasksSaySo
  /// An asynchronous refresh works whether autorefresh is on or off.
  case asyncRefreshNeedsNothing
  /// A commit that skips listeners is flushed like any other.
  case silencedCommitsAreFlushed
  /// An asynchronous write is refused beside too many versions, too.
  case asyncBeginsKnowTheLimit
  /// Who has written a copy lets go of the version that was copied.
  case writtenCopiesLetGo
  /// Where there is no file, nobody can open one only to read it.
  case readersMakeNoFile
  /// A file is made of its seed when there is none.
  case seedsAreSownOnce
  /// A date that is asked for has fractions of a second.
  case askedDatesHaveFractions
  /// What is alike keeps its order in a descending sort.
  case descendingKeepsTheAlike
  /// Two spellings of a text are two keys.
  case spellingsAreTexts
  /// Several elements are inserted in their order.
  case insertedInOrder

  // MARK: Unplanned, the thirteenth set

  /// Sections follow what their realm writes.
  case sectionsFollowTheWrite
  /// An object that is looked up by the name of its class is looked up each time.
  case dynamicFindsAreNew
  /// Which versions are frozen does not matter to who begins to read.
  case frozenOnesAreNoBegin
  /// A property is set in a write, also to the value that it has.
  case sameValuesNeedAWrite
  /// A frozen realm is in no write.
  case frozenRealmsAreInNoWrite
  /// A value that is as long as the limit is refused.
  case theLimitIsRefused
  /// All there is is deleted in a write, also if there is nothing.
  case deletingAllNeedsAWrite
  /// A copy is written at home.
  case copiesAreMadeAtHome
  /// An object tells its realm on any thread.
  case objectsTellTheirRealmAnywhere
  /// Completions on queues are told of the error, too.
  case queuesHearOfErrors
  /// Who visits a queue may listen and write asynchronously there.
  case visitorsMayListen
  /// A commit has an id of its own.
  case commitsHaveTheirOwnIDs
  /// Zero is the id of nothing.
  case zeroIsNobody
  /// What is asked for in a listener's call needs no end of a write.
  case callsAreNoWrites
  /// Commits are grouped where that was asked for.
  case groupingIsAskedFor
  /// A variable can be assigned nil.
  case variablesBecomeNil
  /// A reference is looked at and taken in one step.
  case takingIsOneStep
  /// A reference lets its version go, whether anything was found or not.
  case nothingFoundUnpins
  /// Telling of the realm's own writes is no step.
  case ownNewsAreNoSteps
  /// A realm that refreshes by itself is not told that it has to.
  case refreshesAreNotAnnounced
  /// A realm that was opened asynchronously has autorefresh on.
  case openedElsewhereAutorefreshes
  /// Freezing leaves the live realm on its version.
  case freezingStays
  /// Frozen results name the frozen realm.
  case frozenResultsNameTheFrozen
  /// An old value may be nil.
  case nilIsAnOldValue
  /// A key whose value changes is modified.
  case mapsTellOfChanges
  /// A realm's listener that comes in a call hears of what comes later.
  case newcomersHearWhatComes
  /// Changed properties are told by the names that they have in Swift.
  case propertiesHaveTheirNames
  /// Collections do not tell of what is five links away.
  case fiveLinksAreFar
  /// What a task's block has begun anew is committed.
  case begunAnewIsCommitted
  /// An asynchronous refresh does nothing for a realm without a version.
  case unreadRealmsAreNotRefreshed
  /// Taking an element out of a list writes little.
  case removalsWriteLittle
  /// A limit of versions holds for each write of a realm.
  case limitsHoldForEachWrite
  /// Who has asked for a schema's version lets the file go.
  case askedVersionsAreLetGo
  /// A copy that is made in a write has the version of its schema.
  case copiesHaveTheirSchemaVersion
  /// The lock file goes with its file.
  case locksGoWithTheirFile
  /// How a create treats what is there ends with it.
  case policiesEndWithTheirCreate
  /// IN takes capitals for their letters where that was asked for.
  case inFoldsLetters
  /// Of positions side by side each counts.
  case runsOfIndexesAreWhole
  /// What replaces a range goes to where that began.
  case rangesAreReplacedInPlace

  // MARK: Unplanned, the fourteenth set

  /// What was found is found anew when linked objects have changed.
  case questionsLookOverLinks
  /// A filter of a filter finds who satisfies both by now.
  case filtersOfFiltersFollow
  /// An object is there as long as its realm's version has it.
  case endsAreHeardWithTheStep
  /// A text is as long as its bytes.
  case bytesAreCounted
  /// A begin waits as long as somebody else writes.
  case beginsWaitForTheirTurn
  /// Whatever is closed meanwhile, a write keeps its lock.
  case lockedUntilTheWriteEnds
  /// What is no realm's cannot be deleted.
  case onlyOwnOnesAreDeleted
  /// A realm whose thread has ended is at home nowhere.
  case theDeadAreNobodysHosts
  /// A configuration with a block in it opens the same realm again.
  case blocksMakeNoOther
  /// Whatever a serial queue targets, it is serial.
  case queuesAreWhatTheyAre
  /// A queue's realm hears of commits, whether it autorefreshes or not.
  case restingQueuesHear
  /// An id that is over is given to nobody.
  case idsGoOn
  /// What is asked for in a block waits for its turn.
  case nestedBlocksWait
  /// Completions come after the call, in memory, too.
  case memoryCompletesLater
  /// A commit of nothing has its completion.
  case unchangedBlocksComplete
  /// Embedded objects can be referred to.
  case ownedOnesTravel
  /// A realm that is newer than a reference stays there.
  case newerRealmsAreNotTakenBack
  /// What was found by its class's name can be referred to.
  case namedOnesTravel
  /// A cancelled write stays on the version that it was begun on.
  case cancelledWritesStay
  /// Refreshing a realm without a version begins to read.
  case unreadRealmsRefresh
  /// However soon a commit follows another, its news come.
  case ringsAreMadeUpFor
  /// Frozen objects of two versions are two.
  case frozenVersionsDiffer
  /// Thawed results find their members anew.
  case thawedResultsAskAnew
  /// What is of a read-only realm freezes like anything.
  case readOnlyRealmsFreeze
  /// A property is told once, however often it was set.
  case setOftenIsToldOnce
  /// Rows of two classes are two, whatever their keys.
  case rowsAreOfAClass
  /// Who is hidden by a member may become one.
  case hiddenTwinsAreHeard
  /// What came and went between two calls is not told.
  case nothingIsNotTold
  /// A key that loses its value is modified.
  case lostValuesAreTold
  /// Several tasks may wait for a refresh.
  case refreshesMayMeet
  /// A task that is cancelled after its turn came has written.
  case lateCancelsPass
  /// A write is one commit, however much it adds.
  case largeWritesAreOneCommit
  /// One whole slot is enough to open a file.
  case oneWholeSlotWillDo
  /// What no held version has is used again.
  case laterOnesAreLetGo
  /// A migration lets the version go that it reads.
  case migrationsLetGo
  /// A file is closed when its last realm goes.
  case lastOnesCloseTheFile
  /// The realm's own listeners outlive invalidate.
  case realmListenersStay
  /// Negative fractions have their place in the order.
  case negativeFractionsAscend
  /// Offsets are those of before the first is taken out.
  case offsetsAreOfTheBeginning

  // MARK: Of calls that nobody made

  /// The members of a section keep the order that they were sorted into.
  case sectionsKeepTheirOrder
  /// A list that gets another name keeps its values.
  case renamedListsKeepTheirValues
  /// A migration shows the objects of classes that go, too.
  case lostClassesAreShown
  /// An error tells which file it is about.
  case errorsNameTheirFile
  /// A question in Swift finds the first that satisfies it.
  case questionsFindTheFirst
  /// What is made by its class's name has all that was given.
  case madeByNameIsWhole
  /// What is frozen of shown members stays as it was.
  case shownMembersFreeze
  /// A typed key path of a projection leads to the property that it names.
  case projectionsAreAskedByName
  /// Of shown members what is shown is told, and nothing else of them.
  case shownMembersHideTheRest
  /// The least and the greatest value of a map are those of the values that are there.
  case mapsLeaveOutNulls
  /// Who is in a list twice counts twice in what a question computes of it.
  case computedOfEachPlace
  /// Key paths of a listener are followed to their ends, however long.
  case pathsAreOfAnyLength
  /// An object is made of what is stored of the app's own types as of their values.
  case storedFormsAreTaken
  /// What is on its way to a thread's loop arrives on that thread.
  case loopsWorkOnTheirThread

  // MARK: Of arguments that few give

  /// A fraction below zero in a predicate is one.
  case negativeFractionsKeepTheirSign
  /// A pattern that is asked for in Swift takes letters for their capitals where that is asked for.
  case typedPatternsFoldLetters
  /// An erased collection ends with its last member.
  case erasedCollectionsEnd
  /// Elements of a list that are moved together keep their order.
  case movingAllKeepsTheirOrder
  /// Two sets meet if they have any member in common.
  case setsMeetByAnyMember
  /// In a write, objects by the name of their class are those that there are now.
  case writesAreShownByName
  /// A date is set in a write alone, to whatever.
  case sameDatesNeedAWrite
  /// A key is removed in a write alone, there or not.
  case absentKeysNeedAWrite
  /// A sum is told at home alone.
  case sumsAreConfined
  /// Whether to compact is asked by the first one who opens the file.
  case theFirstAsksWhetherToCompact
  /// An id of what has ended stands for nothing.
  case endedIdsNameNothing

  // MARK: Unplanned, the fifteenth set

  /// The objects of a query are deleted in a write alone, be there any or none.
  case deletingNothingNeedsAWrite
  /// A write has ended when its realm's listeners are told of it.
  case writesEndBeforeTheirNews
  /// What went with its owner is usable again when the write is cancelled.
  case ownedObjectsComeBack
  /// An object of another realm is none of this one's, whatever its key.
  case strangersStayStrangers
  /// A home that was late for its turn waits elsewhere like any other.
  case lateHomesWaitElsewhere
  /// Who has resolved a map or a set is not older than the reference.
  case mapsBringTheirVersion
  /// A reference to an erased collection keeps its version.
  case erasedResultsPin
  /// A listener's first call moves no realm.
  case firstCallsMoveNobody
  /// A section thaws like any collection.
  case sectionsThaw
  /// A map's listener gets the map that it was registered on.
  case mapsAreToldAsThemselves
  /// Who ends in a listener's call takes nobody's place.
  case endsTakeNobodysTurn
  /// Changes that an order looks at concern its listeners, wherever they are.
  case ordersLookOverLinks
  /// Typed key paths of a map's listener count on an actor, too.
  case typedPathsOfMapsCount
  /// The space of a long value is used again.
  case longValuesAreLetGo
  /// A pin is let go wherever its last holder goes.
  case pinsAreLetGoAnywhere
  /// What is opened for a queue without a configuration has the default one of now.
  case queuesOpenTheDefault
  /// No value is another one than zero.
  case nothingIsNotZero
  /// Objects with keys below zero have their place among those that link.
  case linkersBelowZeroAreFound
  /// A number that is too large for 32 bits gets more.
  case widthsEndInTime
  /// Shown members are read whenever they are asked for.
  case shownMembersAreReadAnew
  /// To use a class for the first time takes no lock.
  case firstUsesTakeNoLock
  /// Who waits for a file's gate holds up nobody who waits for another file's.
  case filesAreWaitedForApart
  /// Whether asynchronous work is under way is asked at home.
  case workIsAskedForAtHome
  /// What a busy home commits goes to the disk without waiting for that home.
  case spareThreadsCarry
  /// A commit on its way to the disk keeps its realm.
  case flushesKeepTheirRealm
  /// A plain write begins in no other one, asynchronous or not.
  case blocksAreOneWrite
  /// In a completion nothing is committed in the background.
  case completionsCommitAtOnce
  /// A commit that skips listeners completes the commits before it, too.
  case silencedCommitsComplete
  /// Lists in mixed values are found by reference.
  case nestedListsAreFound
  /// Who commits moves no other realm, wherever that is at home.
  case neighboursLookLater
  /// The collections of a deleted object are not those of its successor.
  case heirsHaveTheirOwnLists
  /// What is frozen is listened to nowhere.
  case frozenThingsAreHeardNowhere
  /// The objects of a query are deleted where they were found.
  case foundIsDeletedAtHome
  /// A token whose listener is still to come ends like any other.
  case waitingTokensEnd
  /// A listener of one section hears of that one.
  case sectionsHearOfThemselves
  /// A task is told that its commit failed.
  case tasksHearOfFailures
  /// A file's name is on the medium when the file is whole.
  case namesAreFlushed
  /// Objects are found by an id through its index.
  case idsAreFoundByIndex
  /// A variable lets go of what it had when it is assigned anew.
  case variablesLetGo
  /// A realm that is open to be written is not given to who asks to read only.
  case settingsAgree
  /// A file may be written by all realms of the process or is only read by all of them.
  case permissionsAgree
  /// A file that realms of the process have open is not migrated under them.
  case schemaVersionsAgree
  /// What is only read is opened with the schema version that it has.
  case readersHaveTheFilesVersion
  /// A realm whose classes another process has migrated says so.
  case foreignMigrationsAreTold
  /// A record that a file says is somewhere is looked for in the file only.
  case recordsLeadIntoTheFile

  // MARK: Of realms in states that few ask in

  /// What is computed in a realm that only reads is of those that were found.
  case readersCompute
  /// What is computed of many leaves nobody out.
  case manyAreComputedWhole
  /// A realm that was invalidated cancels what it cancels.
  case invalidatedRealmsUndo
  /// A realm that was made of a seed says that it has moved.
  case seededRealmsSayThatTheyMove
  /// A realm that has a limit of versions rests like any other.
  case limitedRealmsRest
  /// What is frozen in a write, in memory, is of that write's begin.
  case memoryFreezesEachBegin
  /// A realm that was migrated tells who has come.
  case migratedRealmsTellWhoCame
  /// What waits can be cancelled in a write.
  case workIsCancelledInWrites
  /// A realm that asks whether to compact resolves references in a write.
  case compactedRealmsResolveInWrites
  /// A copy that is made in a write, in memory, is of that write.
  case memoryCopiesItsWrites
  /// What is thawed in a write lets go of what it was frozen in.
  case thawingInWritesLetsGo
  /// A realm is itself while it is in a write.
  case versionedRealmsAreThemselves
  /// A realm that was made of a seed is refreshed at home.
  case seededRealmsAreConfined
  /// A realm of an actor is refreshed in memory, too.
  case memoryIsRefreshedByActors

  // MARK: Where loops, names and openers meet

  /// A loop that a callback turns hears of what comes, also when another one has ended in it.
  case loopsHearBehindInnerOnes
  /// Files are told apart by the bytes of their names.
  case namesAreBytes

  // MARK: The sixteenth set

  /// The lists of a loop's object are those of the row that it shows.
  case loopsListsAreTheirRows
  /// Sections found before a change of the running write are found again.
  case sectionsFollowOwnWrites
  /// The schema is compared without the lock, where nothing has to be written.
  case opensCompareWithoutTheLock
  /// What is added that is there already is not written.
  case addingAgainWritesNothing
  /// Of a run of rows that came to nothing each is taken back.
  case cancelledRunsAreTakenBackWhole
  /// The elements of collections are no longer than properties may be.
  case elementsAreMeasured
  /// Counts are confined, known or not.
  case countsAreConfined
  /// A realm is copied where it is at home.
  case copiesAreConfined
  /// A queue's realm is opened on the queue, be it open already.
  case openQueuesAreConfined
  /// Whichever thread has flushed, the completions are called at home.
  case spareFlushesEndAtHome
  /// A task whose turn was taken back keeps its place.
  case lateTasksKeepTheirPlace
  /// An asynchronous write that a listener begins asks for its turn.
  case listenersWritesAskAtOnce
  /// All completions of a group that fails get the error.
  case groupsAllHearOfTheFailure
  /// A reference to an erased collection carries its order.
  case erasedReferencesKeepTheirOrder
  /// A variable that was nil in a write has its object when the write is cancelled.
  case variablesComeBack
  /// A reference to something frozen brings the realm to its version.
  case frozenThingsNameTheirVersion
  /// What lies in a mixed value is found again after a refresh.
  case nestedListsAreFoundAnew
  /// A realm stays where it is while its own listeners are called.
  case realmListenersAreTelling
  /// A realm without autorefresh is told of each version that it is behind it.
  case behindIsSaidAgain
  /// What a write has put in the place of another is not frozen as that one.
  case replacedObjectsAreNotFrozen
  /// The objects of frozen results cannot be deleted by them.
  case frozenResultsAreNotDeleted
  /// Listeners of the same results are told by their own key paths.
  case listenersHaveTheirOwnReach
  /// What others write after the realm itself has an old value.
  case ownWorkEndsWithOthers
  /// Insertions are told where they are, however many rows have changed.
  case manyChangesShiftInsertions
  /// Who begins to listen hears of what was committed since the realm was opened.
  case earlyCommitsAreHeard
  /// A realm reads on from its own commit, whatever is committed behind it.
  case commitsLeadToThemselves
  /// What was flushed once counts only whole, in however many places it lies.
  case severalRunsAreSummed
  /// A commit that names listeners to pass over shows what it has written, as any other does.
  case silentCommitsLeadToThemselves
  /// The results of an actor's realm are observed on the actor.
  case actorsResultsAreConfined
  /// A writer that follows another process asks how long the file is.
  case filesAreMeasured
  /// A file gets its name when it is on the medium.
  case copiesAreFlushedBeforeTheirNames
  /// What was found out elsewhere about a step is let go when it was told.
  case toldForecastsGo
  /// Asynchronous writes begin under the limit of versions alone.
  case asynchronousWritesKnowTheLimit
  /// What asyncOpen gives is the queue's realm.
  case asyncOpensAreForTheirQueue
  /// The first of what an index finds may have a key below zero.
  case firstMatchesMayBeBelowZero
  /// A comparison that ignores case does so where the property is indexed, too.
  case indexesMindCase

  // MARK: The seventeenth set

  /// A loop goes on when its body deletes the object that it was given.
  case loopsOutliveTheirLast
  /// A class of embedded objects that no other class has is made in the file once.
  case loneEmbeddedClassesAreKnown
  /// Setting a property to nil is a change for what was found before.
  case nilIsAChange
  /// The data of a property may have anything below 16 MB.
  case dataGoesToSixteenMegabytes
  /// What a collection in a mixed value had in a cancelled write is forgotten.
  case cancelledContentGoes
  /// A write in which nothing was changed can be cancelled like any other.
  case emptyWritesCanBeCancelled
  /// Rows that a cancelled write deleted many at once are what they were.
  case rowsDeletedTogetherComeBack
  /// Threads that read a frozen map share nothing that varies.
  case frozenMapsAreReadApart
  /// Confinement holds while listeners are called, too.
  case callbacksAreConfined
  /// A realm of a queue writes asynchronously.
  case queuesWriteAsynchronously
  /// A queue opens its realm again, wherever the last one was let go of.
  case droppedElsewhereIsOpenedAgain
  /// Completions are called outside of writes.
  case completionsComeOutsideWrites
  /// For each asynchronous write that waits a thread is sent to the gate.
  case waitersAreAllSent
  /// A completion that invalidates its realm takes no other one with it.
  case invalidateCallsCompletions
  /// An invalidate in a listener's call leaves what is being committed alone.
  case listenersTakeNoCommitBack
  /// References are resolved in read-only realms, too.
  case readOnlyRealmsResolve
  /// Results of a collection are handed over with it.
  case handedOverResultsKnowTheirList
  /// Results of a collection that was deleted resolve to nil.
  case resultsOfGoneListsAreNil
  /// A refresh comes to the newest version, whatever is being looked into elsewhere.
  case refreshPassesTheWorker
  /// A step over empty commits is one to what has changed behind them.
  case emptyCommitsHideNothing
  /// A commit that makes a class is announced like any other.
  case newClassesAreNews
  /// Frozen results outlive the live collection that they are of.
  case frozenResultsOutliveTheirList
  /// Frozen results are found in the frozen version.
  case frozenResultsAreFoundAnew
  /// A realm can be frozen that lists embedded classes which no other class has.
  case loneEmbeddedClassesFreeze
  /// A token is skipped in each commit that names it.
  case skippingIsRepeated
  /// A mixed value that links no more is forgotten where it led.
  case mixedLinksAreTakenBack
  /// Modifications of ordered results are positions in their order.
  case sortedModificationsAreSorted
  /// A change within a collection in a mixed property is one of its object.
  case innerChangesAreRecorded
  /// A write that begins in a listener's call tells of the step that it makes.
  case beginsInCallsAreTold
  /// Who ends a listener elsewhere does not wait for its home.
  case endsWaitForNobody
  /// A task that refreshes a realm which is up to date goes on.
  case refreshesEndWithoutNews
  /// All nodes of a file that was copied or compacted count as used.
  case copiedFilesKeepTheirNodes
  /// A migration is one commit, its block included.
  case migrationsAreOneCommit
  /// The nodes of a commit that makes the file longer are flushed before its slot.
  case longerFilesAreFlushedFirst
  /// Versions that nobody reads do not count as active.
  case versionsBetweenDoNotCount
  /// A listener of a map lets the versions go that it has been told of.
  case mapListenersLetGo
  /// A copy that could not be written gets no name.
  case failedCopiesAreDropped
  /// A file that is a copy can be copied.
  case copiesCanBeCopied
  /// A mixed value that is set to where it leads still leads there.
  case linksSetAgainStay

  // MARK: The eighteenth set

  /// A version that is kept is asked by its own indexes.
  case keptVersionsAskTheirOwnIndex
  /// A question about links backwards follows a write of the class that links.
  case questionsOfLinkersFollow
  /// A set counts what was put into it through another accessor.
  case setsCountAllChanges
  /// The key of what a cancelled write had added is free.
  case cancelledKeysAreFree
  /// A realm that resolves a reference to what has gone comes to its version.
  case goneReferencesMoveTheirRealm
  /// The position of an element follows a refresh.
  case positionsFollowTheRefresh
  /// A key path may lead over a link that is null.
  case keyPathsPassNoLink
  /// A listener with key paths is told that its object was deleted.
  case keyPathsHearOfTheEnd
  /// A section may go because its last member has changed.
  case sectionsMayGoByChanges
  /// A key path that ends in links backwards concerns the links alone.
  case pathsBackwardsHearOfLinks
  /// A link in a list in a list of mixed values is one.
  case linksInListsInListsAreHeard
  /// A map that has become empty is told like any other.
  case emptiedMapsAreTold
  /// Of a map that has become empty all keys are told.
  case emptiedMapsNameTheirKeys
  /// Sections hear of a change behind a link.
  case sectionsHearOverLinks
  /// Modifications of ordered results are told by themselves, too.
  case orderedModificationsAreTold
  /// A write may be cancelled while a listener waits for its first call.
  case cancelsSpareNewListeners
  /// The error of a task's block ends its write.
  case errorsEndTasksWrites
  /// A new file gets its name when it is whole.
  case newFilesAreNamedWhole
  /// Space that is given back is no longer than it was.
  case freedSpaceEndsWithItself
  /// A plain file that is opened with a key is left alone.
  case keysLeavePlainFilesAlone
  /// The record of a commit goes when nobody needs it.
  case recordsAreLetGo
  /// An asynchronous write that waits keeps no version.
  case waitingWritesKeepNothing
  /// A realm that only reads can be frozen.
  case readOnlyRealmsCanBeFrozen
  /// An object without the embedded one that it could have is copied.
  case emptyPlacesAreCopied
  /// A file that was compacted is not outdated by that.
  case compactedFilesAreUpToDate
  /// Who opens a file looks again when somebody else has changed the schema.
  case openersLookAgain
  /// What a compaction has made beside the file goes.
  case compactionsLeaveNothing
  /// The place of a reader that has ended is given again.
  case placesOfReadersAreGivenAgain
  /// A file can be opened while another thread closes it.
  case closingFilesCanBeOpened
  /// A file in the place of an open one is another.
  case replacedFilesAreNoticed
  /// A list is asked to its end.
  case longListsAreAskedWhole
  /// A new property that may be nil is nil in what was there before.
  case newPropertiesAreNil
  /// What an index finds of a list stays in the list's order.
  case listsKeepTheirOrder
  /// One element lies between both bounds.
  case betweenIsOfOneElement
  /// The first of all objects may become another.
  case theFirstIsFoundAnew
  /// BETWEEN may be asked over a link.
  case betweenGoesOverLinks
  /// A link in a collection in a mixed value goes back to its own row.
  case nestedLinksKnowTheirRow
  /// An entry of a map that is set again links once.
  case entriesLinkOnce
  /// Whole numbers are among fractions that are as large.
  case inComparesFractions
  /// What an index found in a cancelled write is forgotten.
  case indexesForgetTheCancelled

  // MARK: The nineteenth set

  /// The record of a commit is looked for in the file as long as it is by then.
  case recordsAreReadWithinTheFile
  /// What has changed a collection in a mixed value shows that.
  case nestedListsSeeTheirOwnChanges
  /// Who comes while another thread compacts a file finds the compacted one.
  case openersAwaitTheCompaction
  /// The list of readers may be made longer by another process.
  case longerListsOfReadersAreRead
  /// What was counted before all is deleted is counted anew.
  case emptiedRealmsAreCountedAnew
  /// A commit that finds no room says so.
  case fullDisksAreTold
  /// A signal interrupts no wait for the lock.
  case signalsInterruptNoWait
  /// Who opens beside a write begins on the newest version.
  case openersBesideWritesBeginOnTheNewest
  /// A refresh behind a commit of the realm's own has nothing to do.
  case ownCommitsAreNoNewsToRefresh
  /// Several threads may ask their first question of a frozen realm.
  case frozenRealmsAreSharedWhole
  /// Results whose owner is gone are not frozen, and it is said why.
  case goneResultsAreRefusedInWords
  /// Who takes a place behind the clearing away of the dead gets one.
  case clearingTheDeadRefusesNobody
  /// The old objects of a migration are as they were.
  case oldObjectsStayAsTheyWere
  /// What is frozen first of a realm that has migrated is what it shows.
  case migratedRealmsFreezeAsTheyAre
  /// The version of a step that is looked into elsewhere stays.
  case lateStepsKeepTheirVersion
  /// A realm may go while a first call is prepared elsewhere.
  case realmsMayGoInAFirstSearch
  /// Links backwards are told of where nothing else has happened.
  case newOwnersAloneAreHeard
  /// Objects may link to each other in a circle.
  case circlesAreGoneRoundOnce
  /// A link that is set to nil is recorded.
  case linksSetToNilAreHeard
  /// An error about the lock file names it.
  case lockErrorsNameTheirFile
  /// The schema of a realm has the classes that came later.
  case schemasFollowTheFile
  /// A file may have a name nearly as long as names can be.
  case longNamesHaveRoom
  /// What others have migrated meanwhile is not migrated again.
  case migrationsAreDoneOnce
  /// Results of links backwards say that their object is gone.
  case lostLinkersSayThatTheyAreGone
  /// A file that has just passed a multiple of 64 MB can be opened.
  case filesOfAnyLengthAreOpened
  /// NaN has its position in what was put into an order.
  case ordersFindNaN
  /// A link that leads nowhere is null at its end, indexed or not.
  case indexesTakeNoLinkForNull
  /// A map behind a link that leads nowhere has nothing.
  case mapsBehindNoLinkAreEmpty
  /// Long keys of a map are compared to their end.
  case longKeysDiffer
  /// Data replaces a text of the same bytes.
  case dataReplacesItsText
  /// What is found in a large class is there once.
  case whatIsFoundIsThereOnce
  /// A list with nulls can be migrated to one without.
  case nullsInListsAreCarriedOver
  /// A map in which a key has no object has a sum.
  case mapsWithEmptyKeysAreSummed
  /// A pattern of many stars is compared in bounded time.
  case starsAreTriedOnce
  /// A text is found in an indexed mixed property as it is written.
  case mixedIndexesHeedCase
  /// A text in an indexed mixed property is no number.
  case mixedIndexesTellTextsFromNumbers
  /// Equal numbers of two kinds are one member of a set.
  case equalNumbersAreOneMember
  /// A mixed property that has values can be indexed.
  case mixedValuesCanBeIndexedLater
  /// Several INs about one property hold together.
  case severalInsAllHold

  // MARK: The twentieth set

  /// A loop over all objects of a class shows what is there when it comes to them.
  case loopsShowWhatIsThere
  /// Sections are found anew when a member's key has changed.
  case sectionsFollowTheirKeys
  /// A refresh reaches the rows of every class.
  case refreshesReachTheLastClass
  /// An index path names the section first.
  case indexPathsNameTheSectionFirst
  /// The keys of maps are measured as their values are.
  case mapKeysAreMeasured
  /// Adding what is there already needs a write, too.
  case addingAgainNeedsAWrite
  /// What a cancelled write puts under a key takes nobody along who had it before.
  case cancelledSuccessorsGoAlone
  /// Autorefresh is set at home only.
  case autorefreshIsSetAtHome
  /// All objects of a class are asked for by name at home only.
  case classesAreNamedAtHome
  /// A turn that is asked for while the flushing thread is at home begins before it leaves.
  case dueTurnsBegin
  /// Who listens on a queue is told in the realm that the queue has.
  case listenersJoinTheirQueuesRealm
  /// A home that comes in time has been late no times in a row.
  case latenessIsForgiven
  /// A commit that could not be sealed is told behind those before it.
  case refusalsKeepTheirPlace
  /// Every write that waits for its home is watched.
  case everyHeldWriteIsWatched
  /// A commit that could not be sealed is told why.
  case refusalsAreTold
  /// Linking objects are of the same property in every realm.
  case linkingObjectsKeepTheirProperty
  /// References into memory resolve in every realm of the same memory.
  case referencesIntoMemoryLead
  /// References to sections keep their version.
  case sectionsPin
  /// A refresh tells what the realm has written itself.
  case refreshTellsOwnNews
  /// A realm reads what others have deleted whether or not somebody listens.
  case unheardRealmsFollowDeletions
  /// A thaw into an older version asks whether the row is the same.
  case thawsIntoThePastLookAhead
  /// One section freezes as all of them do.
  case sectionsFreeze
  /// A thawed collection is one of the object that it was frozen of.
  case thawedListsKnowTheirOwner
  /// Members that stay where they are are told to be modified beside those that move.
  case neighboursOfMovesAreTold
  /// Sections that change places are told.
  case movedSectionsAreTold
  /// A listener of a projection is told the old values, too.
  case projectionsKnowOldValues
  /// A listener of the realm that ends in its call takes nobody's turn.
  case endsOfRealmListenersHideNobody
  /// Who is listened to over links backwards is told of linkers that are deleted.
  case deletedLinkersAreTold
  /// An asynchronous refresh tells what the realm has written itself.
  case asyncRefreshTells
  /// A map's listener on an actor is told what its key paths lead to.
  case namedPathsOfMapsCount
  /// Where a list is written to it is looked whether it is as long as it should be.
  case writtenListsAreLookedAt
  /// A list that is emptied lets go of all its nodes.
  case emptiedListsLetGo
  /// Maps that are copied link backwards, too.
  case copiedMapsLinkBack
  /// The folder of management goes with its file.
  case managementGoesWithItsFile
  /// A deleted object that a list has several times leaves the others in it.
  case deletedLeaveTheOthers
  /// Decimal numbers of one size are compared digit by digit.
  case decimalsOfOneSizeAreCompared
  /// A text is searched to its end.
  case searchesReachTheEnd
  /// Only letters are folded.
  case onlyLettersFold
  /// All objects of a class, asked for by position, follow what the write does.
  case wholeClassesFollowTheWrite
  /// Who is inserted into a list links back, as who is appended does.
  case insertedMembersLinkBack
  /// A list in a list of mixed values is the realm's, whichever way it is asked for.
  case listsInListsAreManaged
  /// Who is to be deleted is known before the first is.
  case slicesAreTakenBeforeTheyGo
  /// The objects that link to one are deleted in a write.
  case linkersAreDeletedInWrites
  /// Data of 16 MB is refused.
  case sixteenMegabytesAreTooMuch
  /// The map of an object that is added is the row's from then on.
  case addedMapsAreTheRows
  /// Who cancels a write leaves the gate, whether or not anything was changed.
  case emptyCancelsLeave
  /// A lookup by a key of whatever type asks where it is.
  case lookupsByAnyKeyAreConfined
  /// Who sets a property elsewhere hears of the thread, and not of the write.
  case theThreadIsLookedAtFirst
  /// A realm of the main queue is opened there.
  case theMainQueueOpensAtHome
  /// The main queue is known by whichever wrapper it comes in.
  case theMainQueueIsOne
  /// Nothing is asked for when all that waited has been cancelled.
  case cancelledTurnsAreGivenBack
  /// Who is cancelled is found where it stands, however many have run before.
  case cancellingCountsFromTheFront
  /// Who is told of a write that could not begin is told why.
  case failedBeginsAreNoSuccess
  /// A flush may be waited for twice.
  case flushesAreWaitedForAgain
  /// A map that was referred to is found in the realm that asks.
  case referencesToMapsFindTheReader
  /// Two realms in memory are one if they have one name.
  case memoryIsToldByItsName
  /// A home that turns begins to hear of each of its files.
  case allFilesOfAHomeAreHeardOf
  /// A realm that shows no version has something to refresh.
  case invalidRealmsHaveSomethingToRefresh
  /// Classes that an open realm gets to know are frozen with it.
  case laterClassesAreFrozen
  /// Links backwards say anywhere whether they are frozen.
  case linkersSayAnywhereWhetherTheyAreFrozen
  /// A write tells what came before it as it begins.
  case beginsTellWhatCameBefore
  /// What the realm has written itself is told without old values.
  case ownWritesTellNoOldValues
  /// A comparison asks other rows if either side does.
  case bothSidesAskOtherRows
  /// Who comes into a section is told by where that is now.
  case newRowsAreToldInTheNewSection
  /// What comes to a projected list is no modification.
  case projectedInsertionsAreNoModifications
  /// A task whose turn was taken waits again.
  case overtakenTasksWaitAgain
  /// A listener of sections on an actor keeps its key paths.
  case sectionsKeepKeyPathsOnActors
  /// What could not be committed is left.
  case failedCommitsAreLeft
  /// Space that was kept by a version is looked at again.
  case keptSpaceIsLookedAtAgain
  /// A long value lets its space go when another takes its place.
  case longValuesThatAreReplacedGo
  /// The realm that a thread opened last is given to who asks for its permissions.
  case theLastRealmIsAskedForItsPermissions
  /// An object that is made of another has lists of its own.
  case copiesHaveOwnLists
  /// A mean is one of values.
  case averagesLeaveOutNil
  /// A filter of what is sorted is sorted.
  case filtersKeepTheOrder
  /// The place of a match is counted from the first of all.
  case matchesAreCountedFromTheStart
  /// A fraction that whole numbers are compared with is rounded down, below zero, too.
  case negativeFractionsAreRoundedDown
  /// An update writes what has become nil.
  case nilIsWrittenByUpdates
  /// What is due on the main thread is announced to its queue, too.
  case theMainQueueIsToldLikeItsLoop
  /// A block of the main queue is at home whichever thread runs it.
  case theMainQueueIsAtHomeAnywhere
}

/// Whether this process is the mutant that breaks the promise: what a wrong function asks before it
/// goes wrong.
func breaks(_ promise: Promise) -> Bool { Fault.promise == promise }

/// What is wrong with the engine of this process.
enum Fault {
  // Unsafe without a lock because they are written by `Mutant.install` only: before any realm
  // opens.
  nonisolated(unsafe) static var promise: Promise?
  nonisolated(unsafe) static var forgives: Forgives?
}
