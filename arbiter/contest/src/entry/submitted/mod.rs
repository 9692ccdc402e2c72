//! Bots that are handed in: a folder with a folder for each. Tournaments take them all at once, a league
//! watches for new ones.

pub mod found;
pub mod report;

/// Result of a submission: the name under which the bot entered, or the reason for its refusal.
pub type SubmissionStatus = Result<String, String>;
