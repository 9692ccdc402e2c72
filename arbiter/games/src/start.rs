//! Starting the rules of a game from its files.

use rules::own::{NoAnswer, RulesSource};
use sandbox::Supervisor;
use text::printable;

use crate::contents::NotGame;
use crate::game_files::GameFiles;
use crate::module::ModuleSource;
use crate::program::{ProgramSource, RunningCopy, USUAL_HASH_SEED};

impl GameFiles {
    /// A way to start its rules.
    pub fn source(&self, supervisor: Supervisor) -> Result<Box<dyn RulesSource>, NotGame> {
        self.source_with(supervisor, USUAL_HASH_SEED)
    }

    /// Likewise with this value of `PYTHONHASHSEED`.
    pub fn source_with(
        &self,
        supervisor: Supervisor,
        hash_seed: &str,
    ) -> Result<Box<dyn RulesSource>, NotGame> {
        let game = || printable(self.named_as());
        match self.module() {
            Some(content) => {
                let source = ModuleSource::new(&content.bytes);
                let source = source.map_err(|problem| NotGame::Module { game: game(), problem })?;
                Ok(Box::new(source))
            }
            None => {
                // Whether it can be started is found out before it is.
                RunningCopy::write(self).map_err(|why| match why {
                    NoAnswer::Machine(problem) => NotGame::Machine { game: game(), problem },
                    NoAnswer::Rules(problem) => NotGame::Program { game: game(), problem },
                })?;
                Ok(Box::new(ProgramSource::new(supervisor, self.clone(), hash_seed)))
            }
        }
    }
}
