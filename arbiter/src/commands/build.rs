//! `arbiter build`: builds the bot in a folder.

use std::io::Write;
use std::slice;
use std::time::Duration;

use clap::Args;
use rules::Escaped;
use text::printable;

use crate::options::isolation::IsolationArgs;
use bot::build::{Builder, Built, NotBuilt};
use bot::grants::AskedIsolation;
use bot::manifest::BotFolder;
use bot::{BotSpec, Contender, FileDigest, NotReady};
use contest::setup;
use sandbox::duration;
use sandbox::{Limits, Wanted};
use text::failure::Failure;
use text::terminal::say;

const HELP: &str =
    "The build runs in a sandbox: in a copy of the folder, with the programs on PATH, an empty home \
folder, no input, and no network unless you pass --allow NAME:network. On success, new files are \
copied back. With --isolation off, it runs in the folder itself, in your environment.

Prints the SHA-256 digests of the bot's files, which match logs also contain.

Examples:
  arbiter build ./my-bot
  arbiter build ./my-bot --allow my-bot:network";

#[derive(Debug, Args)]
#[command(after_help = HELP)]
pub(crate) struct BuildArgs {
    /// Bot folder
    #[arg(value_name = "FOLDER")]
    folder: String,
    /// Time limit for the build
    #[arg(long, value_name = "DURATION", default_value = "10m", value_parser = duration)]
    time_limit: Duration,
    #[command(flatten)]
    isolation: IsolationArgs,
}

impl BuildArgs {
    /// Builds a bot, and prints the digests of its files, as in the log of a match. The output of a failed
    /// build goes to standard error.
    pub(crate) fn run(self, out: &mut dyn Write) -> Result<(), Failure> {
        let asked = self.isolation.asked()?;
        let folder = BotFolder::open(&self.folder)?;
        let name = &folder.manifest.name;
        let AskedIsolation { isolation, grants } = &asked;
        grants.check_names(slice::from_ref(name))?;
        let search = &setup::search_path()?;
        let beyond = asked.outside_access(name);
        let _guard = setup::guard()?;
        let supervisor = match folder.manifest.build {
            Some(_) => setup::supervisor(*isolation)?,
            None => setup::supervisor_with(*isolation)?,
        };
        let (time, wanted) = (self.time_limit, Wanted::ALWAYS);
        let builder = Builder { supervisor, search, grants, folders: &[], kept: &[], time, wanted };
        let built = builder.build(&folder, name).map_err(|error| failure(name, error))?;
        let contender = Contender::prepare(
            &BotSpec::from(folder.clone()),
            name,
            Limits::DEFAULT,
            search,
            &beyond,
        )
        .map_err(|error| Failure::Start(format!("bot `{name}`: {}", unready(&error))))?;
        match built {
            Built::Nothing => writeln!(out, "{name}: nothing to build")?,
            Built::In(time) => writeln!(out, "{name}: built in {:.1} s", time.as_secs_f64())?,
        }
        for FileDigest { word, sha256 } in contender.digests() {
            writeln!(out, "{sha256}  {}", printable(&word))?;
        }
        Ok(())
    }
}

/// The reason why a bot cannot be started after its build.
fn unready(error: &NotReady) -> String {
    match error {
        NotReady::NotBuilt { word, folder, .. } => {
            format!("the build succeeded, but `{folder}` has no `{word}`")
        }
        other => other.to_string(),
    }
}

fn failure(name: &str, error: NotBuilt) -> Failure {
    let text = format!("bot `{name}`: {error}");
    match error {
        NotBuilt::Failed { stdout, stderr, hint, .. } => {
            show("standard output", &stdout);
            show("standard error", &stderr);
            if let Some(hint) = hint {
                say(format!("hint: {hint}"));
            }
            Failure::Start(text)
        }
        NotBuilt::Refused(_) => Failure::Start(text),
        NotBuilt::Machine(_) => Failure::Ours(text),
    }
}

/// Shows a stream of a build line by line, without terminal escapes.
fn show(name: &str, stream: &Escaped) {
    if stream.0.is_empty() {
        return;
    }
    say(format!("the build's {name}:"));
    for line in String::from_utf8_lossy(&stream.0).lines() {
        say(format!("  {}", printable(&line.replace('\t', "    "))));
    }
}
