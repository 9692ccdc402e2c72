//! The pages of a report as HTML.

pub mod bot;
pub mod games;
pub mod layout;
pub(super) mod overview;
pub(super) mod standings;

pub(super) use layout::PageLocation;
