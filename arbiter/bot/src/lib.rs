//! Bots: as they are named, built and granted, and as the referee can start them; with advice for their authors.
//!
//! It also copies bots, and unpacks those that strangers send. It starts none itself, and knows neither games that are
//! played nor their logs.

#![forbid(unsafe_code)]
#![expect(missing_docs, reason = "the names and types of a crate of one program say the most")]

pub mod advice;
pub mod build;
pub mod build_record;
mod contender;
pub mod copying;
pub mod fingerprint;
pub mod grants;
pub mod judge;
pub mod launch_target;
pub mod limits;
pub mod manifest;
mod name;
pub mod sandboxed;
pub mod shim;
mod spec;
mod stderr_lines;
pub mod templates;
pub mod unpacking;

pub use contender::{Contender, ContenderError, HASH_SEED, Location, sighted};
pub use fingerprint::FileDigest;
pub use name::{
    ConfusableNames, EXPECTED_NAME, EXPECTED_PERSON, is_name, is_person_name, is_player_name,
    is_reserved, is_same_name, letter_problem, looks_like, name, person_name, spelt_as_names,
};
pub use spec::{BotSpec, bad_name, names, same_name};
