//! The pages of `arbiter serve`.

mod api;
mod browser;
mod folders;
mod league;
mod live;
mod own;
mod pages;
mod people;
mod readers;
mod reviews;
mod sent;
