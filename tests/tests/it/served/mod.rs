//! What `arbiter serve` shows.

mod browser;
mod league;
mod live;
mod pages;
mod people;
