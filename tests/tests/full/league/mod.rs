//! Leagues: classes, kinds of games, shards, and folders that are watched.

mod class;
mod killed;
mod kinds;
mod sharded;
mod watching;
