//! The options that sandbox bots, for every command that starts bots.

use bot::grants::{Grant, Grants, IsolationSpec};
use bot::limits::{LimitSpec, LimitSpecs};
use clap::builder::PossibleValuesParser;
use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches};
use sandbox::isolation::Isolation;
use sandbox::{LIMITS, LimitKind, Unit};
use text::failure::Failure;

/// The level of isolation, and exceptions for single bots.
#[derive(Debug, Args)]
#[command(next_help_heading = "Isolation")]
pub(crate) struct IsolationArgs {
    /// Sandbox policy: best effort (auto), all layers required (strict), none (off) [default: auto]
    #[arg(long, value_name = "HOW", value_parser = names())]
    isolation: Option<String>,
    #[command(flatten)]
    allow: AllowArgs,
}

/// Exceptions from isolation for single bots.
#[derive(Debug, Args)]
#[command(next_help_heading = "Isolation")]
pub(crate) struct AllowArgs {
    /// Grant a permission: NAME:read=FOLDER, NAME:device=DEVICE or NAME:network; repeatable
    #[arg(long, value_name = "NAME:PERMISSION")]
    allow: Vec<String>,
}

fn names() -> PossibleValuesParser {
    PossibleValuesParser::new(Isolation::ALL.map(Isolation::name))
}

impl IsolationArgs {
    pub(crate) fn into_spec(self) -> Result<IsolationSpec, Failure> {
        let isolation = self.isolation.as_deref().map(str::parse).transpose();
        let isolation = isolation.map_err(Failure::usage)?;
        Ok(IsolationSpec {
            isolation: isolation.unwrap_or_default(),
            grants: self.allow.granted()?,
        })
    }

    /// True if no option is given.
    pub(crate) fn is_empty(&self) -> bool {
        self.isolation.is_none() && self.allow.allow.is_empty()
    }
}

impl AllowArgs {
    pub(crate) fn granted(self) -> Result<Grants, Failure> {
        // Not read by clap, whose errors repeat the word as it is, escape sequences and all.
        let grants = self.allow.iter().map(|text| {
            text.parse::<Grant>().map_err(|error| Failure::Usage(format!("--allow: {error}")))
        });
        grants.collect()
    }
}

const HEADING: &str =
    "Limits per move (VALUE for all bots, NAME=VALUE for one bot or a runtime such as java)";

/// Limits of an answer, each for all bots or, as `NAME=VALUE`, for one.
#[derive(Debug)]
pub(crate) struct LimitArgs(Vec<LimitSpec>);

impl LimitArgs {
    pub(crate) fn into_specs(self) -> LimitSpecs {
        self.0.into_iter().collect()
    }
}

impl Args for LimitArgs {
    fn augment_args(command: Command) -> Command {
        command.next_help_heading(HEADING).args(LIMITS.iter().map(option))
    }

    fn augment_args_for_update(command: Command) -> Command {
        LimitArgs::augment_args(command)
    }
}

impl FromArgMatches for LimitArgs {
    fn from_arg_matches(matches: &ArgMatches) -> Result<LimitArgs, clap::Error> {
        let asked = LIMITS.iter().filter_map(|kind| matches.get_many(kind.name)).flatten();
        Ok(LimitArgs(asked.cloned().collect()))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = LimitArgs::from_arg_matches(matches)?;
        Ok(())
    }
}

/// The option that asks for a limit.
fn option(kind: &'static LimitKind) -> Arg {
    let value = match kind.unit {
        Unit::Duration => "DURATION",
        Unit::GameTime => "BANK[+INCREMENT]",
        Unit::Size { .. } => "SIZE",
        Unit::Count { .. } => "N",
    };
    Arg::new(kind.name)
        .long(kind.name)
        .value_name(value)
        .help(format!("{} [default: {}]", kind.help, kind.default_text()))
        .action(ArgAction::Append)
        .value_parser(move |text: &str| LimitSpec::read(kind, text))
}

#[cfg(test)]
mod tests {
    use bytesize::ByteSize;
    use serde_json::json;

    use super::*;
    use bot::BotSpec;
    use contest::tournament::plan::Plan;
    use contest::tournament::plan_file::{self, ReadPurpose};
    use sandbox::{Limits, in_header};

    /// A value that is not the default, as a number.
    fn other_number(kind: &LimitKind) -> u64 {
        match kind.unit {
            Unit::Duration => 1234,
            // The time that an answer has by default: this limit may change that one.
            Unit::GameTime => 5000,
            Unit::Size { least, .. } | Unit::Count { least, .. } => least + 7,
        }
    }

    /// The text of that value as typed.
    fn other_text(kind: &LimitKind) -> String {
        let number = other_number(kind);
        match kind.unit {
            Unit::Duration => format!("{number}ms"),
            Unit::GameTime => format!("{number}ms+7ms"),
            Unit::Size { .. } | Unit::Count { .. } => number.to_string(),
        }
    }

    /// The words for that value, without the name of the limit.
    fn other_words(kind: &LimitKind) -> String {
        let number = other_number(kind);
        match kind.unit {
            Unit::Duration | Unit::GameTime => format!("{number} ms"),
            Unit::Size { .. } => ByteSize(number).to_string(),
            Unit::Count { .. } => format!("{number} "),
        }
    }

    fn greedy() -> BotSpec {
        "greedy".parse().unwrap()
    }

    fn typed(words: &[&str]) -> LimitArgs {
        let command = LimitArgs::augment_args(Command::new("arbiter"));
        let matches = command.try_get_matches_from([&["arbiter"], words].concat()).unwrap();
        LimitArgs::from_arg_matches(&matches).unwrap()
    }

    fn planned(limits: &str) -> Plan {
        let bots = "[[bots]]\ncommand = 'random'\n[[bots]]\ncommand = 'greedy'\n";
        let text = format!("game = 'coup'\nseed = '1'\n{bots}[bots.limits]\n{limits}");
        plan_file::read(&text, ReadPurpose::Looks).unwrap()
    }

    /// The limits of a bot with only this one different from the default.
    fn limits_with(kind: &LimitKind) -> Limits {
        let text = other_text(kind);
        let args = typed(&[&format!("--{}", kind.name), &text]);
        assert!(!args.0.is_empty(), "{}", kind.name);
        args.into_specs().for_bot("greedy", &greedy())
    }

    #[test]
    fn every_limit_can_be_typed_for_all_bots_or_for_one() {
        assert!(typed(&[]).0.is_empty());
        for kind in LIMITS {
            let limits = limits_with(kind);
            assert_ne!(kind.amount(&limits), kind.amount(&Limits::DEFAULT), "{}", kind.name);
            for other in LIMITS.iter().filter(|other| other.name != kind.name) {
                assert_eq!(other.amount(&limits), other.amount(&Limits::DEFAULT), "{}", kind.name);
            }
            let of_one = format!("--{}=greedy={}", kind.name, other_text(kind));
            let asked = typed(&[&of_one]).into_specs();
            assert_eq!(asked.for_bot("greedy", &greedy()), limits, "{}", kind.name);
            assert_eq!(asked.for_bot("random", &greedy()), Limits::DEFAULT, "{}", kind.name);
        }
    }

    #[test]
    fn the_help_says_what_every_limit_is_if_nothing_is_said() {
        let mut command = LimitArgs::augment_args(Command::new("arbiter").term_width(200));
        let help = command.render_help().to_string();
        for kind in LIMITS {
            let line = format!("{} [default: {}]", kind.help, kind.default_text());
            let listed = help.lines().find(|line| line.contains(&format!("--{} <", kind.name)));
            assert!(listed.is_some_and(|listed| listed.ends_with(&line)), "{help}");
        }
    }

    #[test]
    fn every_limit_can_stand_in_a_plan() {
        for kind in LIMITS {
            let plan = planned(&format!("{} = '{}'", kind.name, other_text(kind)));
            let read = |plan: &Plan| plan.entries()[1].limits;
            assert_eq!(read(&plan), limits_with(kind), "{}", kind.name);
            let written = plan_file::write(&plan).unwrap();
            assert!(written.contains(&format!("{} = ", kind.name)), "{written}");
            let again = plan_file::read(&written, ReadPurpose::Looks).unwrap();
            assert_eq!(read(&again), limits_with(kind), "{written}");
        }
    }

    #[test]
    fn a_plan_limits_bots_by_their_kind_and_by_groups() {
        let text = "game = 'coup'\nseed = '1'\n\
            [limits]\ntime-limit = '2s'\n\
            [limits-of.java]\ntime-limit = '8s'\n\
            [limits-of.friends]\nmemory = '2GiB'\n\
            [groups]\nfriends = ['ann', 'java']\n\
            [[bots]]\nname = 'ann'\ncommand = 'random'\n\
            [[bots]]\nname = 'ben'\ncommand = 'java -jar ben.jar'\n\
            [[bots]]\nname = 'carl'\ncommand = 'java Carl'\n[bots.limits]\ntime-limit = '3s'\n\
            [[bots]]\nname = 'dora'\ncommand = 'python3 dora.py'\n";
        let plan = plan_file::read(text, ReadPurpose::Looks).unwrap();
        let limits = |plan: &Plan| {
            let each = plan.entries().iter();
            each.map(|entry| (entry.limits.time.as_secs(), entry.limits.memory >> 30))
                .collect::<Vec<_>>()
        };
        let expected = [(2, 2), (8, 2), (3, 2), (2, 1)];
        assert_eq!(limits(&plan), expected);
        let written = plan_file::write(&plan).unwrap();
        assert_eq!(limits(&plan_file::read(&written, ReadPurpose::Looks).unwrap()), expected);
        let seed = plan.settings().seed.known_seed().cloned().unwrap();
        let refused = |change: (&str, &str)| {
            let reader = ReadPurpose::Plays { submitted: Vec::new(), seed: seed.clone() };
            plan_file::read(&text.replace(change.0, change.1), reader).unwrap_err().to_string()
        };
        for (change, says) in [
            (("'ann'\ncommand", "'java'\ncommand"), "it is both a bot and a runtime"),
            (("'ann'\ncommand", "'friends'\ncommand"), "it is both a bot and a group"),
            (("limits-of.java", "limits-of.eve"), "unknown bot `eve`: use one of ann"),
            (("friends =", "java ="), "group name `java` is a runtime"),
            (("memory = '2GiB'", "memory = 'much'"), "memory"),
        ] {
            assert!(refused(change).contains(says), "{}", refused(change));
        }
    }

    #[test]
    fn every_limit_stands_in_a_header_under_its_key() {
        for kind in LIMITS {
            let limits = limits_with(kind);
            let values = in_header::serialize(&limits, serde_json::value::Serializer).unwrap();
            let expected = match kind.unit {
                Unit::GameTime => json!({ "bank_ms": other_number(kind), "increment_ms": 7 }),
                Unit::Duration | Unit::Size { .. } | Unit::Count { .. } => {
                    json!(other_number(kind))
                }
            };
            assert_eq!(values[kind.key], expected, "{values}");
            assert_eq!(in_header::deserialize(&values).unwrap(), limits, "{values}");
        }
    }

    #[test]
    fn a_header_without_a_key_that_may_be_missing_means_the_default() {
        for kind in LIMITS {
            let mut values =
                in_header::serialize(&limits_with(kind), serde_json::value::Serializer).unwrap();
            values.as_object_mut().unwrap().remove(kind.key);
            match in_header::deserialize(&values) {
                Ok(limits) => assert_eq!(limits, Limits::DEFAULT, "{}", kind.key),
                Err(error) => {
                    assert_eq!(error.to_string(), format!("missing field `{}`", kind.key));
                }
            }
        }
    }

    #[test]
    fn every_limit_that_one_may_run_into_is_told() {
        let usual = Limits::DEFAULT.in_words();
        for kind in LIMITS {
            let limits = limits_with(kind);
            let told = limits.in_words();
            match kind.in_words(&limits) {
                Some(words) => {
                    assert!(words.starts_with(&other_words(kind)), "{words}");
                    assert!(told.split(", ").any(|part| part == words), "{told}");
                }
                None => assert_eq!(told, usual, "{}", kind.name),
            }
        }
        assert_eq!(Limits::NONE.in_words(), "none");
    }
}
