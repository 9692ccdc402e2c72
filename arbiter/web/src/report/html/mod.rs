//! The pages of a report as HTML.

pub(super) mod bot;
mod figures;
pub(crate) mod games;
pub(crate) mod layout;
mod out;
pub(super) mod overview;
pub(crate) mod proof;
pub(super) mod standings;

pub(super) use layout::Location;
