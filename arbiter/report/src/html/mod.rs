//! The pages of a report as HTML.

pub(super) mod bot;
mod figures;
pub(super) mod frame;
pub mod games;
pub mod layout;
pub(super) mod overview;
pub mod setup;
pub(super) mod standings;

pub(super) use layout::PageLocation;
