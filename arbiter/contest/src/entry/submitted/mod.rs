//! Bots that are handed in: a folder with a folder for each. Tournaments take them all at once, a league
//! watches for new ones.

pub mod found;
pub mod report;

/// What becomes of a submission: the name under which it has entered, or why it is refused.
pub type SubmissionStatus = Result<String, String>;
