import Foundation

/// A number for the thread that asks.
func currentThread() -> UInt { UInt(bitPattern: ObjectIdentifier(Thread.current)) }

/// A short rest for those who wait by looking.
func rest() { usleep(500) }

/// The system's name for the thread that asks, which it gives again when the thread has ended.
func threadHandle() -> UInt { UInt(pthread_self()) }
