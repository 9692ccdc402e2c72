//! Bots that are handed in: a folder with a folder for each. Tournaments take them all at once, a league
//! watches for new ones.

pub(super) mod found;
pub(super) mod report;

/// What becomes of a submission: the name under which it has entered, or why it is refused.
pub(super) type SubmissionStatus = Result<String, String>;
