//! Which options were typed, of a command where some exclude all others.

use clap::parser::ValueSource;
use clap::{ArgMatches, Args, Command, FromArgMatches};

/// The options and arguments that stand on the command line.
#[derive(Debug)]
pub(super) struct Typed(Vec<String>);

impl Typed {
    /// The first of these options that was typed, but for some.
    pub(super) fn first_of<T: Args>(&self, but: &[&str]) -> Option<String> {
        let command = T::augment_args(Command::new("arbiter"));
        let mut options = command.get_arguments().filter(|it| !but.contains(&it.get_id().as_str()));
        let typed =
            options.find(|option| self.0.iter().any(|id| option.get_id() == id.as_str()))?;
        typed.get_long().map(|name| format!("--{name}"))
    }
}

/// It has no option of its own.
impl Args for Typed {
    fn augment_args(command: Command) -> Command {
        command
    }

    fn augment_args_for_update(command: Command) -> Command {
        command
    }
}

impl FromArgMatches for Typed {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Typed, clap::Error> {
        let is_typed = |id: &&str| matches.value_source(id) == Some(ValueSource::CommandLine);
        let ids = matches.ids().map(|id| id.as_str());
        Ok(Typed(ids.filter(is_typed).map(str::to_owned).collect()))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Typed::from_arg_matches(matches)?;
        Ok(())
    }
}
