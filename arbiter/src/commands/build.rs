//! `arbiter build`: builds the bot in a folder.

use std::io::Write;
use std::slice;
use std::time::Duration;

use rules::Escaped;
use text::printable;

use bot::build::{Builder, Built, NotBuilt};
use bot::grants::AskedIsolation;
use bot::manifest::BotFolder;
use bot::{BotSpec, Contender, FileDigest, NotReady};
use contest::setup;
use sandbox::{Limits, Wanted};
use text::failure::Failure;
use text::terminal::say;

/// The options of `arbiter build`.
#[derive(Debug)]
pub(crate) struct BuildRequest {
    /// The folder, as it was typed.
    pub folder: String,
    pub time: Duration,
    pub isolation: AskedIsolation,
}

/// Builds a bot, and prints the digests of its files, as in the log of a match. The output of a failed
/// build goes to standard error.
pub(crate) fn run(request: &BuildRequest, out: &mut dyn Write) -> Result<(), Failure> {
    let folder = BotFolder::open(&request.folder)?;
    let name = &folder.manifest.name;
    let AskedIsolation { isolation, grants } = &request.isolation;
    grants.check_names(slice::from_ref(name))?;
    let search = &setup::search_path()?;
    let beyond = request.isolation.outside_access(name);
    let _guard = setup::guard()?;
    let supervisor = match folder.manifest.build {
        Some(_) => setup::supervisor(*isolation)?,
        None => setup::supervisor_with(*isolation)?,
    };
    let (time, wanted) = (request.time, Wanted::ALWAYS);
    let builder = Builder { supervisor, search, grants, folders: &[], kept: &[], time, wanted };
    let built = builder.build(&folder, name).map_err(|error| failure(name, error))?;
    let contender =
        Contender::prepare(&BotSpec::from(folder.clone()), name, Limits::DEFAULT, search, &beyond)
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
        NotBuilt::NotThere(_) | NotBuilt::Led(_) | NotBuilt::Program(_) | NotBuilt::Refused(_) => {
            Failure::Start(text)
        }
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
