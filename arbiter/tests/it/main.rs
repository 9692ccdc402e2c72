//! All tests of this package, in one program.

mod games;
mod logs;
mod people;
mod standings;
mod supervisor;
