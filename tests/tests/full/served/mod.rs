//! The pages of `arbiter serve`.

mod api;
mod folders;
mod league;
mod live;
mod own;
mod people;
mod published;
mod reviews;
mod sent;
