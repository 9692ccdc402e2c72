//! Tournaments: copied, extended, with kept files and tie-breaks.

mod copies;
mod extended;
mod kept_files;
mod ties;
