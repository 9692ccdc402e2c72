//! Bots that were handed in: a folder with a folder for each.
//!
//! Each is built and put to a short check; one that fails is refused with its report beside its
//! folder, and the others go on.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use rules::text::printable;
use rules::{GameKind, Seed};

use crate::aside::say;
use crate::bot::{self, BotSpec};
use crate::commands::check::{self, CheckRequest};
use crate::commands::setup;
use crate::commands::tournament::{Shown, shown};
use crate::failure::Failure;
use crate::limits::AskedLimits;
use crate::manifest::MANIFEST;
use crate::report::check::Colours;
use crate::tournament::entrants::Refused;

/// How many games a bot plays in its check.
const GAMES: u64 = 4;

/// What was found in a folder of bots.
#[derive(Debug, Default)]
pub(super) struct Submissions {
    entered: Vec<BotSpec>,
    refused: Vec<Refused>,
}

impl Submissions {
    pub(super) fn refused(&self) -> Vec<Refused> {
        self.refused.clone()
    }

    pub(super) fn bots(&self) -> Vec<BotSpec> {
        self.entered.clone()
    }
}

/// Builds and checks every bot in a folder, in the order of their names.
pub(super) fn look(path: &Path, kind: GameKind, shows: Shown) -> Result<Submissions, Failure> {
    let unreadable =
        |error: io::Error| Failure::Usage(format!("`{}` cannot be read: {error}", shown(path)));
    let mut folders: Vec<PathBuf> = Vec::new();
    for entry in fs::read_dir(path).map_err(unreadable)? {
        let folder = entry.map_err(unreadable)?.path();
        if folder.join(MANIFEST).is_file() {
            folders.push(folder);
        }
    }
    folders.sort();
    if folders.is_empty() {
        let problem = format!("no folder in `{}` has a {MANIFEST}", shown(path));
        return Err(Failure::Usage(problem));
    }
    let mut found = Submissions::default();
    for folder in folders {
        let entered = enter(&folder, kind, &found.entered);
        let told = match &entered {
            Ok(_) => "entered".to_owned(),
            Err(refused) => format!("refused: {}", refused.why),
        };
        if shows == Shown::Progress {
            say(format!("{}: {told}", shown(&folder)));
        }
        match entered {
            Ok(bot) => found.entered.push(bot),
            Err(refused) => found.refused.push(refused),
        }
    }
    Ok(found)
}

fn enter(folder: &Path, kind: GameKind, others: &[BotSpec]) -> Result<BotSpec, Refused> {
    let refused =
        |why: String, report| Refused { folder: shown(folder), why: printable(&why), report };
    // A path, and not the name of a built-in bot.
    let word = match folder.is_absolute() || folder.starts_with(".") {
        true => folder.display().to_string(),
        false => format!("./{}", folder.display()),
    };
    let quoted = shlex::try_quote(&word).map_err(|error| refused(error.to_string(), None))?;
    let bot: BotSpec =
        quoted.parse().map_err(|error: bot::BadBot| refused(error.to_string(), None))?;
    let bot = bot.opened().map_err(|error| refused(error.to_string(), None))?;
    setup::must_play(&bot, kind).map_err(|error| refused(error.to_string(), None))?;
    let name = |bot: &BotSpec| bot.folder().map(|folder| folder.manifest.name.clone());
    if others.iter().any(|other| name(other) == name(&bot)) {
        let name = name(&bot).unwrap_or_default();
        return Err(refused(format!("another bot is called `{name}`"), None));
    }
    let mut report = Vec::new();
    let request = CheckRequest {
        bot: bot.clone(),
        kind: Some(kind),
        seats: None,
        options: String::new(),
        games: GAMES,
        // Every bot is asked the same, at every time.
        seed: Some(Seed([0; 32])),
        limits: AskedLimits::default(),
        format: check::Format::Text(Colours::Plain),
        keep: None,
    };
    match check::run(request, &mut report) {
        Ok(()) => Ok(bot),
        Err(failure) => {
            let beside = beside(folder);
            let written = fs::write(&beside, &report).map(|()| shown(&beside));
            Err(refused(failure.to_string(), written.ok()))
        }
    }
}

/// The file for the report on a bot: beside its folder, with its name.
fn beside(folder: &Path) -> PathBuf {
    let mut name = folder.file_name().unwrap_or_default().to_owned();
    name.push(".report.txt");
    folder.with_file_name(name)
}
