//! All tests of this package, in one program.

mod games;
mod logs;
mod pages_speed;
mod people;
mod played;
mod standings;
mod supervisor;
