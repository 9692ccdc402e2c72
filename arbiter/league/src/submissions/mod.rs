//! Submissions over the page of a league, and their results.
//!
//! A submission is a folder, `submissions/NAME/N`. It holds the uploaded file, its record, and in the end a report. So a submission waits on the disk, and a killed program has forgotten nothing. It is no part
//! of the league's log.
//!
//! Submissions are checked in the order in which they came, several at once; those whose participants have had more
//! minutes of checks in the last 24 hours come behind those of others, and those that were tried before come last. The
//! number of tries is limited ([`SubmissionRecord::failed`], [`SubmissionRecord::begun`]). `index.rs` keeps the public view in memory.
//!
//! At most one submission of a bot is undecided: a new one takes the place of an earlier one. NAME is the name of the bot:
//! a participant's first bot has the participant's name. Quotas count all bots of a participant. Records change
//! under a lock ([`RecordLock`]), and a check that has ended looks under the lock whether its submission still waits.

mod index;
mod intake;
mod record;

pub use index::LateSubmission;
pub(crate) use index::{SubmissionIndex, SubmissionSnapshot};
pub use intake::{
    ACCEPTED, Upload, accept, arriving, claim_bot, must_have_room, take_in, withdraw,
};
pub(crate) use intake::{forget, has_room, locked, not_open, remove_leftovers};
pub use record::{
    MOST_BEGUN, RecordLock, RejectionStage, Submission, SubmissionRecord, SubmissionSummary,
    SubmissionVerdict, SummaryVerdict, TRIES, by_participant, find, late_submissions,
};
pub(crate) use record::{names, numbers};
