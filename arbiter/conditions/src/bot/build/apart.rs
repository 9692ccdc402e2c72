//! A build that is kept apart like a bot, in a copy of its folder.

use std::path::{Path, PathBuf};
use std::time::Duration;

use super::copied_folder::{CopiedFolder, NotCopied};
use super::toolchain::Toolchain;
use super::{Builder, LIMITS, NotBuilt, judged};
use crate::bot::insider::Insider;
use crate::bot::manifest::BotFolder;
use sandbox::{Limits, Program, Sight};
use text::terminal::say;

impl Builder<'_> {
    /// Builds in a copy of the folder, and takes over what was built.
    pub(super) fn build_apart(
        &self,
        folder: &BotFolder,
        name: &str,
        words: &[String],
        kept: Vec<PathBuf>,
    ) -> Result<Duration, NotBuilt> {
        let builder = self.supervisor.owner_of_bots_files();
        let not_copied: Vec<PathBuf> = self.folders.iter().chain(&kept).cloned().collect();
        let copied = CopiedFolder::copy(&folder.path, &not_copied, builder)?;
        let built = self.build_copy(&copied, folder, name, words, kept).and_then(|time| {
            copied.take_over()?;
            Ok(time)
        });
        if let Err(left) = copied.close() {
            say(format!("warning: {left}"));
        }
        built
    }

    fn build_copy(
        &self,
        copied: &CopiedFolder,
        folder: &BotFolder,
        name: &str,
        words: &[String],
        kept: Vec<PathBuf>,
    ) -> Result<Duration, NotBuilt> {
        let workshop = copied.workshop();
        let toolchain = Toolchain::of_this_process();
        let mut granted = self.grants.readable(name);
        granted.extend(toolchain.folders);
        let sight = Sight {
            folder: Some(folder.path.clone()),
            granted,
            devices: self.grants.devices(name),
            hidden: self.folders.iter().chain(&kept).cloned().collect(),
            masked: kept,
            network: self.grants.network(name),
        };
        let at = self.supervisor.finds(workshop);
        let words: Vec<String> = words.iter().map(|word| moved(word, &folder.path, at)).collect();
        let program = Program::resolve(&words, &self.search.from(at))?;
        let program = program.with_variables(toolchain.variables);
        let limits = Limits { time: self.time, ..LIMITS };
        let observed =
            self.supervisor.run_in_workshop(workshop, &program, &sight, limits, self.wanted);
        // Of the copy itself it misses nothing.
        let mut sight = sight;
        sight.hidden.push(workshop.copy.clone());
        let outlook = self.supervisor.outlook(&program, &sight);
        let insider = Insider::of_build(name, folder, &program, outlook);
        judged(observed, &limits, |stderr, cause| insider.missed(stderr, Some(cause)))
    }
}

/// A word of a command that lies in a folder, as it is found where the folder is found.
fn moved(word: &str, folder: &Path, to: &Path) -> String {
    let moved = Path::new(word).strip_prefix(folder).map(|rest| to.join(rest));
    moved.ok().and_then(|path| path.to_str().map(str::to_owned)).unwrap_or_else(|| word.to_owned())
}

impl From<NotCopied> for NotBuilt {
    fn from(error: NotCopied) -> NotBuilt {
        match error.is_of_machine() {
            true => NotBuilt::Machine(error.to_string()),
            false => NotBuilt::Refused(error.to_string()),
        }
    }
}
