//! All tests of this package, in one program.

mod bots;
mod commands;
mod games;
mod logs;
mod misbehaviour;
mod people;
mod reports;
mod tournaments;
