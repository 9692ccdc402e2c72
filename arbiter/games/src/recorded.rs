//! The games that the author of a custom game has recorded, in a folder beside its rules.

use sandbox::file;

use crate::contents::Within;
use crate::error::NotGame;
use crate::game_files::{GameFiles, RECORDED};

impl GameFiles {
    /// The names of the recorded games, in order.
    pub fn recorded(&self) -> Result<Vec<String>, NotGame> {
        let Some(folder) = self.folder() else { return Ok(Vec::new()) };
        if folder.join(RECORDED).symlink_metadata().is_err() {
            return Ok(Vec::new());
        }
        let entries = Within::folder(folder)?.entries(RECORDED)?.flatten();
        let names = entries.map(|entry| entry.file_name().to_string_lossy().into_owned());
        let mut names: Vec<String> = names.filter(|name| name.ends_with(".txt")).collect();
        names.sort();
        Ok(names)
    }

    /// Reads one of the recorded games.
    pub fn read_recorded(&self, name: &str) -> Result<String, NotGame> {
        let folder = self.folder().ok_or_else(|| NotGame::NotFound(self.named_as().to_owned()))?;
        Within::folder(folder)?.text(&format!("{RECORDED}/{name}"), file::LONGEST_TEXT)
    }
}
