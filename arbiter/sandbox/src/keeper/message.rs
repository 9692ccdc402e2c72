//! What a referee and a keeper say to each other.

use std::ffi::OsString;

use serde::{Deserialize, Serialize};

use super::super::call::Observed;
use super::super::isolation::Layers;
use super::super::layers::Confinement;
use super::super::limits::Limits;
use super::super::request::Ponder;
use super::super::start::StartError;

/// The first message to a keeper: which program it runs, where, and confined to what.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Setup {
    /// The absolute path of the program.
    pub(super) path: OsString,
    /// Its arguments.
    pub(super) arguments: Vec<OsString>,
    /// Its environment, besides what depends on its scratch folder.
    pub(super) variables: Vec<(OsString, OsString)>,
    /// Variables that go before all others.
    pub(super) own_variables: Vec<(OsString, OsString)>,
    /// What it is confined to.
    pub(super) confinement: Confinement,
    /// Where it runs.
    pub(super) workplace: Workplace,
    /// Whether it may think between its turns, where it lives on.
    pub(super) ponder: Ponder,
}

/// Where a program runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Workplace {
    /// In a scratch folder that the keeper makes.
    Scratch,
    /// In the folder that the keeper was given as its own; it is left as it is.
    Given,
}

/// What a keeper is asked.
#[derive(Debug, Serialize, Deserialize)]
pub(super) enum Question {
    /// To run the program; its standard input follows.
    Run { limits: Limits },
    /// To run the program with a file, whose text follows: its path and these words are the last
    /// arguments.
    RunWithFile {
        limits: Limits,
        words: Vec<String>,
        /// How much of the file is read afterwards, in bytes.
        most: u64,
    },
    /// To give the program its next request, which follows, and to start it before if it does not run.
    Turn { limits: Limits },
    /// To end the program if it runs.
    GameOver,
    /// To run a command in the place of the program, with these words, on standard streams that are
    /// sent once the keeper says that it waits for them.
    Attend { limits: Limits, words: Vec<OsString> },
    /// To start the program, and to end it at once.
    Probe,
    /// To give the program a new, empty folder.
    NewFolder,
    /// What the folder holds.
    Left,
}

/// What a keeper answers.
#[derive(Debug, Serialize, Deserialize)]
pub(super) enum Answer {
    /// It is there.
    Ready { layers: Layers },
    /// It cannot do its work at all.
    Unable(String),
    /// It waits for standard streams.
    Streams,
    /// What was seen; standard output, standard error and the file follow.
    Seen(Box<Observed>),
    /// Whether the program can be started.
    Probed(Result<(), StartError>),
    /// It does not run.
    Ended,
    /// The folder is new; what could not be removed of the old one, a line each.
    NewFolder { left_behind: Vec<String> },
    /// No folder can be made.
    NoFolder(String),
    /// How many files the folder holds, and the name of one.
    Left { files: u64, name: OsString },
}
