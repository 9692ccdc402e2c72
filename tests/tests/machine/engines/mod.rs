//! Real engines play a tournament by the templates of `examples/engines/`: programs and workers are killed
//! meanwhile, and what comes of it is what one machine plays.

#![cfg(target_os = "linux")]

mod cup;
mod hyperqueue;
mod kubernetes;
mod night;
mod parallel;
mod slurm;
mod ssh;
