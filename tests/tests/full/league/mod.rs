//! Leagues: classes, kinds, rounds, shards, stages, and folders that are watched.

mod class;
mod entering;
mod keeping;
mod killed;
mod kinds;
mod rounds;
mod sharded;
mod stages;
mod watching;
