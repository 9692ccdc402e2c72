//! The table of limits. The command line, plans, headers of logs and reports take the words for a
//! limit from its entry.
//!
//! CONTRIBUTING.md says what a new limit needs. Older logs lack its key, so the type of the key is an `Option`, and
//! a log without it is read with the default.

use std::time::Duration;

use bytesize::ByteSize;
use text::counted;

mod amount;

pub use amount::{GameTime, LimitAmount, duration, milliseconds, text_or_number};
use amount::{LimitValue, count, game_time, size, size_text};

/// The least memory that can be asked for, in bytes.
const LEAST_MEMORY: u64 = 1 << 20;

/// The largest answer that can be allowed, in bytes: logs keep every one whole.
const LARGEST_ANSWER: u64 = 64 << 10;

/// The most processes or files that can be allowed: more than any system has.
const MOST: u64 = 1 << 30;

/// Three are open before the program has opened any.
const LEAST_FILES: u64 = 4;

/// Makes the table of limits and the values that it describes.
macro_rules! limits {
    ($(
        $(#[$doc:meta])*
        $field:ident: $type:ty = $default:expr, {
            name: $name:literal,
            unit: $unit:expr,
            help: $help:literal,
            key: $key:ident: $key_type:ty,
            told: $told:expr,
        }
    )*) => {
        /// The limits of one call.
        ///
        /// `docs/systems.md` lists the limits that systems other than Linux cannot enforce.
        #[derive(
            Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize,
        )]
        pub struct Limits {
            $($(#[$doc])* pub $field: $type,)*
        }

        impl Limits {
            /// The default of each limit.
            pub const DEFAULT: Limits = Limits { $($field: $default,)* };
        }

        /// All limits, in the order in which they are listed and written.
        pub const LIMITS: &[LimitKind] = &[$(
            LimitKind {
                name: $name,
                unit: $unit,
                help: $help,
                key: stringify!($key),
                amount: |limits| limits.$field.amount(),
                set: |limits, amount| limits.$field = LimitValue::new(Some(amount)),
                told: $told,
            },
        )*];

        /// Limits in the header of a log: durations in milliseconds, sizes in bytes, 0 for no limit.
        pub mod in_header {
            use super::{GameTime, Limits, LimitValue};

            #[derive(serde::Serialize, serde::Deserialize)]
            #[serde(rename = "LimitsLine", deny_unknown_fields)]
            struct Keys {
                $(
                    #[serde(skip_serializing_if = "LimitValue::is_none")]
                    $key: $key_type,
                )*
            }

            /// Writes all limits that there are.
            pub fn serialize<S: serde::Serializer>(
                limits: &Limits,
                serializer: S,
            ) -> Result<S::Ok, S::Error> {
                let keys = Keys { $($key: LimitValue::new(limits.$field.amount()),)* };
                serde::Serialize::serialize(&keys, serializer)
            }

            /// Takes the default for a key that older logs lack.
            pub fn deserialize<'de, D: serde::Deserializer<'de>>(
                deserializer: D,
            ) -> Result<Limits, D::Error> {
                let Keys { $($key,)* } = serde::Deserialize::deserialize(deserializer)?;
                let usual = Limits::DEFAULT;
                Ok(Limits { $($field: LimitValue::new($key.amount().or(usual.$field.amount())),)* })
            }
        }

        /// A text for each limit given, under its name, as in a plan.
        #[derive(Debug, Default, PartialEq, serde::Serialize, serde::Deserialize)]
        #[serde(deny_unknown_fields)]
        pub struct LimitTexts {
            $(
                #[serde(
                    rename = $name,
                    default,
                    deserialize_with = "text_or_number",
                    skip_serializing_if = "Option::is_none"
                )]
                $field: Option<String>,
            )*
        }

        impl LimitTexts {
            /// The texts that `text` gives, asked for each limit in order.
            pub fn new(
                text: impl FnMut(&'static LimitKind) -> Option<String>,
            ) -> LimitTexts {
                let mut texts = LIMITS.iter().map(text);
                LimitTexts { $($field: texts.next().flatten(),)* }
            }

            /// Each limit given, with its text.
            pub fn iter(&self) -> impl Iterator<Item = (&'static LimitKind, &String)> {
                let texts = [$(self.$field.as_ref(),)*];
                LIMITS.iter().zip(texts).filter_map(|(kind, text)| Some((kind, text?)))
            }
        }
    };
}

limits! {
    /// Wall time from the moment when the system has started the program until it has ended.
    time: Duration = Duration::from_secs(5), {
        name: "time-limit",
        unit: Unit::Duration,
        help: "Wall-clock time per move, including program start",
        key: time_ms: u64,
        told: Some(|time| format!("{} ms", time.number())),
    }
    /// Wall time of all answers of a game; the caller makes `time` no longer than the rest of it.
    game_time: Option<GameTime> = None, {
        name: "game-time",
        unit: Unit::GameTime,
        help: "Time bank per game and seat, with an optional increment per move",
        key: game_time: Option<GameTime>,
        told: Some(|amount| amount.game_time().in_words()),
    }
    /// Wall time of the first answer of a resident program; the caller makes it `time`.
    first_time: Option<Duration> = None, {
        name: "first-time",
        unit: Unit::Duration,
        help: "Startup allowance: time for a resident bot's first answer, not charged to its time bank",
        key: first_ms: Option<u64>,
        told: Some(|time| format!("{} ms for the first answer of a game", time.number())),
    }
    /// CPU time of the program and the children it waited for, and, while it runs, of all its
    /// processes together; nothing if only `time` counts.
    cpu: Option<Duration> = None, {
        name: "cpu-limit",
        unit: Unit::Duration,
        help: "CPU time, including child processes it has waited for",
        key: cpu_ms: Option<u64>,
        told: Some(|time| format!("{} ms of CPU time", time.number())),
    }
    /// Resident memory of the program and all its processes, in bytes, sampled about every 20 ms;
    /// pages of files do not count.
    memory: u64 = 1 << 30, {
        name: "memory",
        unit: Unit::Size { least: LEAST_MEMORY, most: None },
        help: "Resident memory of all its processes, sampled every 20 ms",
        key: memory_bytes: u64,
        told: Some(|size| format!("{} of memory", ByteSize(size.number()))),
    }
    /// Address space of each process, in bytes; nothing for no limit.
    address_space: Option<u64> = None, {
        name: "address-space",
        unit: Unit::Size { least: LEAST_MEMORY, most: None },
        help: "Address space per process (java and node need a lot)",
        key: address_space_bytes: Option<u64>,
        told: Some(|size| format!("{} of address space", ByteSize(size.number()))),
    }
    /// Processes and threads at the same time, including the program itself, sampled about every 20 ms.
    processes: u32 = 256, {
        name: "processes",
        unit: Unit::Count { least: 1, most: MOST },
        help: "Simultaneous processes and threads",
        key: processes: u32,
        told: Some(|most| counted(most.number(), "process", "processes")),
    }
    /// Size of each file that is written, in bytes.
    file_bytes: u64 = 64 << 20, {
        name: "file-size",
        unit: Unit::Size { least: 0, most: None },
        help: "Size of each file written",
        key: file_bytes: u64,
        told: None,
    }
    /// Descriptors that each process may have open at a time.
    open_files: u64 = 1024, {
        name: "open-files",
        unit: Unit::Count { least: LEAST_FILES, most: MOST },
        help: "Open files per process",
        key: open_files: u64,
        told: None,
    }
    /// Bytes of standard output; one byte more stops the program.
    answer_bytes: usize = 4096, {
        name: "answer-size",
        unit: Unit::Size { least: 1, most: Some(LARGEST_ANSWER) },
        help: "Standard output, at most 64KiB",
        key: answer_bytes: u64,
        told: Some(|size| format!("{} of output", ByteSize(size.number()))),
    }
    /// Bytes of standard error that are kept; the rest is read, counted and dropped.
    stderr_bytes: usize = 65_536, {
        name: "stderr-size",
        unit: Unit::Size { least: 0, most: None },
        help: "Standard error to keep; the rest is discarded",
        key: stderr_bytes: u64,
        told: None,
    }
}

impl Limits {
    /// No limit at all: what the header of a log says of a person.
    pub const NONE: Limits = Limits {
        time: Duration::ZERO,
        game_time: None,
        first_time: None,
        cpu: None,
        memory: 0,
        address_space: None,
        processes: 0,
        file_bytes: 0,
        open_files: 0,
        answer_bytes: 0,
        stderr_bytes: 0,
    };

    /// The time of an answer, in milliseconds.
    pub fn time_ms(&self) -> u64 {
        milliseconds(self.time)
    }

    /// These limits in whole milliseconds, as a header holds them.
    pub fn in_milliseconds(self) -> Limits {
        LIMITS.iter().fold(self, |limits, kind| match kind.amount(&limits) {
            Some(LimitAmount::Duration(time)) => kind
                .changed(limits, LimitAmount::Duration(Duration::from_millis(milliseconds(time)))),
            Some(LimitAmount::Number(_) | LimitAmount::Game(_)) | None => limits,
        })
    }

    /// The limits that a program can hit, in one line; `none` for a person.
    pub fn in_words(&self) -> String {
        let told: Vec<_> = LIMITS.iter().filter_map(|kind| kind.in_words(self)).collect();
        if told.is_empty() { "none".to_owned() } else { told.join(", ") }
    }
}

impl Default for Limits {
    fn default() -> Self {
        Limits::DEFAULT
    }
}

/// One limit: an entry of the table.
#[derive(Debug)]
pub struct LimitKind {
    /// Its name on the command line and in a plan, such as `time-limit`.
    pub name: &'static str,
    /// The unit of its value, and the values allowed.
    pub unit: Unit,
    /// The text of its option's help.
    pub help: &'static str,
    /// Its key in the header of a log.
    pub key: &'static str,
    amount: fn(&Limits) -> Option<LimitAmount>,
    set: fn(&mut Limits, LimitAmount),
    /// The words for a value in a report, if a bot can hit this limit.
    told: Option<fn(LimitAmount) -> String>,
}

/// The unit of a limit's value, and the values allowed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unit {
    /// A duration of at least a millisecond.
    Duration,
    /// A time for a game, of at least a millisecond.
    GameTime,
    /// A size in bytes.
    Size {
        /// The smallest value allowed.
        least: u64,
        /// The largest value allowed, if there is one.
        most: Option<u64>,
    },
    /// A number of things.
    Count {
        /// The smallest value allowed.
        least: u64,
        /// The largest value allowed.
        most: u64,
    },
}

impl LimitKind {
    /// Reads a value, as on the command line and in a plan.
    pub fn read(&self, text: &str) -> Result<LimitAmount, String> {
        Ok(match self.unit {
            Unit::Duration => LimitAmount::Duration(duration(text)?),
            Unit::GameTime => LimitAmount::Game(game_time(text)?),
            Unit::Size { least, most } => LimitAmount::Number(size(text, least, most)?),
            Unit::Count { least, most } => LimitAmount::Number(count(text, least, most)?),
        })
    }

    /// This limit's value in `limits`; `None` if it is unlimited.
    pub fn amount(&self, limits: &Limits) -> Option<LimitAmount> {
        (self.amount)(limits)
    }

    /// `limits` with this limit set to `amount`.
    pub fn changed(&self, mut limits: Limits, amount: LimitAmount) -> Limits {
        (self.set)(&mut limits, amount);
        limits
    }

    /// The default in a few characters: `5s`, `1GiB`, `256` or `none`.
    pub fn default_text(&self) -> String {
        match self.amount(&Limits::DEFAULT) {
            None => "none".to_owned(),
            Some(LimitAmount::Number(bytes)) if matches!(self.unit, Unit::Size { .. }) => {
                size_text(bytes)
            }
            Some(amount) => amount.to_string(),
        }
    }

    /// Its value in words, if a bot can hit this limit.
    pub fn in_words(&self, limits: &Limits) -> Option<String> {
        let amount = self.amount(limits).filter(|amount| amount.number() > 0)?;
        self.told.map(|told| told(amount))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PROTOCOL: &str = include_str!("../../../protocol.md");

    #[test]
    fn the_protocol_lists_every_limit_with_its_default() {
        for kind in LIMITS {
            let row = format!("| `--{}` |", kind.name);
            let row = PROTOCOL.lines().find(|line| line.starts_with(&row));
            let row = row.unwrap_or_else(|| panic!("protocol.md has no row for {}", kind.name));
            let default = row.split('|').nth(3).map(str::trim);
            assert_eq!(default, Some(kind.default_text().as_str()), "{row}");
        }
    }

    #[test]
    fn the_header_has_its_keys_in_the_order_of_the_table() {
        let all = LIMITS.iter().fold(Limits::DEFAULT, |limits, kind| {
            kind.changed(limits, LimitAmount::Number(1 << 20))
        });
        let mut text = Vec::new();
        in_header::serialize(&all, &mut serde_json::Serializer::new(&mut text)).unwrap();
        let text = String::from_utf8(text).unwrap();
        let value = |kind: &LimitKind| match kind.unit {
            Unit::GameTime => r#"{"bank_ms":1048576,"increment_ms":0}"#,
            Unit::Duration | Unit::Size { .. } | Unit::Count { .. } => "1048576",
        };
        let key = |kind: &LimitKind| format!("\"{}\":{}", kind.key, value(kind));
        let keys: Vec<_> = LIMITS.iter().map(key).collect();
        assert_eq!(text, format!("{{{}}}", keys.join(",")));
    }
}
