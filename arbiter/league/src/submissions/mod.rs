//! Submissions over the page of a league, and their results.
//!
//! A submission is a folder, `submissions/NAME/N`. It holds the uploaded file, its record, and in the end a report. So a submission waits on the disk, and a killed program has forgotten nothing. It is no part
//! of the league's log.
//!
//! Submissions are checked in the order in which they came, several at once; those whose participants have had more
//! minutes of checks in the last 24 hours come behind those of others, and those that were tried before come last. The
//! number of tries is limited ([`Record::failed`], [`Record::begun`]). `index.rs` keeps the public view in memory.

mod index;
mod intake;
mod record;
mod stage;

pub use index::Late;
pub(crate) use index::{Seen, SubmissionIndex};
pub(crate) use intake::remove_leftovers;
pub use intake::{Arrival, NotTaken, accept, arriving, must_have_room, take_in};
pub use record::{
    Brief, BriefVerdict, MOST_BEGUN, Record, Submission, TRIES, Verdict, late, of, one,
};
pub(crate) use record::{names, numbers};
pub use stage::Stage;
