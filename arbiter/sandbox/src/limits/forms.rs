//! The forms of the table of limits: values with types, the line in a header, texts, and a list.

/// Makes all forms of the table of limits.
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
        /// The theory of operation lists the limits that a backend cannot set.
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
                set: |limits, amount| limits.$field = Value::new(Some(amount)),
                number: |line| line.$key.amount().map_or(0, Amount::number),
                told: $told,
            },
        )*];

        /// The limits of an answer in the header of a log: durations in milliseconds, sizes in
        /// bytes. The default is 0, which stands for no limit.
        #[derive(
            Debug, Clone, Copy, Default, serde::Serialize, serde::Deserialize,
        )]
        #[serde(deny_unknown_fields)]
        pub struct LimitsLine {
            $(
                #[doc = $help]
                #[serde(skip_serializing_if = "Value::is_none")]
                pub $key: $key_type,
            )*
        }

        /// A missing key stands for its default, so a log written before a limit existed equals one
        /// with that default.
        impl PartialEq for LimitsLine {
            fn eq(&self, other: &LimitsLine) -> bool {
                Limits::from(*self) == Limits::from(*other)
            }
        }

        impl Eq for LimitsLine {}

        impl From<Limits> for LimitsLine {
            fn from(limits: Limits) -> LimitsLine {
                LimitsLine { $($key: Value::new(limits.$field.amount()),)* }
            }
        }

        impl From<LimitsLine> for Limits {
            fn from(line: LimitsLine) -> Limits {
                let usual = Limits::DEFAULT;
                Limits { $($field: Value::new(line.$key.amount().or(usual.$field.amount())),)* }
            }
        }

        /// A text for each limit given, under its name on the command line.
        #[derive(Debug, Default, PartialEq, serde::Serialize, serde::Deserialize)]
        #[serde(deny_unknown_fields)]
        pub struct LimitTexts<Text> {
            $(
                #[serde(rename = $name, default, skip_serializing_if = "Option::is_none")]
                $field: Option<Text>,
            )*
        }

        impl<Text> LimitTexts<Text> {
            /// The texts that `text` gives, asked for each limit in order.
            pub fn new(
                text: impl FnMut(&'static LimitKind) -> Option<Text>,
            ) -> LimitTexts<Text> {
                let mut texts = LIMITS.iter().map(text);
                LimitTexts { $($field: texts.next().flatten(),)* }
            }

            /// Each limit given, with its text.
            pub fn said(&self) -> impl Iterator<Item = (&'static LimitKind, &Text)> {
                let texts = [$(self.$field.as_ref(),)*];
                LIMITS.iter().zip(texts).filter_map(|(kind, text)| Some((kind, text?)))
            }
        }
    };
}

pub(super) use limits;
