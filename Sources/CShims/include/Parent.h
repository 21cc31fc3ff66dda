#pragma once

// What ties a process to the one that started it: `prctl` takes a list of arguments that Swift
// cannot pass.

/// Asks the kernel to kill this process when the thread that started it is gone; 0 where it agreed.
/// It says nothing of a parent that is gone already.
int rb_end_with_parent(void);
