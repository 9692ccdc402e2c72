//! What a program states about moves: lines `value MOVE NUMBER` among all that it has printed on standard error.

use std::collections::BTreeMap;

use text::excerpt;

/// How such a line begins.
const BEGINNING: &[u8] = b"value ";

/// Reads the chance to win by each move that has a line; the last line of a move counts. All other lines are skipped.
///
/// A line that states no value is an error: one line that a terminal can show. `spelt` gives the one spelling of a legal move, or the reason why a text is none.
pub(crate) fn values(
    printed: &[u8],
    mut spelt: impl FnMut(&str) -> Result<String, String>,
) -> Result<BTreeMap<String, f64>, String> {
    let mut values = BTreeMap::new();
    for line in printed.split(|byte| *byte == b'\n') {
        let Some(rest) = line.strip_prefix(BEGINNING) else { continue };
        let shown = || excerpt::line(&String::from_utf8_lossy(line.trim_ascii_end()));
        let rest = String::from_utf8_lossy(rest);
        let words: Vec<&str> = rest.split_ascii_whitespace().collect();
        let (number, mv) = match words.split_last() {
            Some((number, mv @ [_, ..])) => (number, mv),
            Some((_, [])) | None => {
                return Err(format!("`{}`, expected `value MOVE NUMBER`", shown()));
            }
        };
        let chance = number.parse().ok().filter(|chance| (0.0..=1.0).contains(chance));
        let chance: f64 = chance.ok_or_else(|| {
            format!("`{}`, expected a number from 0 to 1 as the last word", shown())
        })?;
        let mv = spelt(&mv.join(" "))
            .map_err(|problem| format!("`{}`: {}", shown(), excerpt::line(&problem)))?;
        // Without its sign, since zero can have one.
        values.insert(mv, chance.abs());
    }
    Ok(values)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Any text is a move but those that begin with `no`.
    fn spelt(text: &str) -> Result<String, String> {
        match text.strip_prefix("no") {
            Some(_) => Err("not legal".to_owned()),
            None => Ok(text.to_ascii_uppercase()),
        }
    }

    #[test]
    fn lines_that_begin_with_value_are_read_and_others_are_not() {
        let read = |printed: &str| values(printed.as_bytes(), spelt);
        let some = |values: &[(&str, f64)]| -> Result<BTreeMap<String, f64>, String> {
            Ok(values.iter().map(|(mv, chance)| ((*mv).to_owned(), *chance)).collect())
        };
        for (printed, expected) in [
            ("", some(&[])),
            ("values a 1\n value a 1\nVALUE a 1\nvalue\n\u{1b}[2J\0\n", some(&[])),
            ("value a 1", some(&[("A", 1.0)])),
            ("value A 1\r\nvalue b  c\t0.5 \n", some(&[("A", 1.0), ("B C", 0.5)])),
            ("value a 0.1\nthinking\nvalue b 0\nvalue A 0.25\n", some(&[("A", 0.25), ("B", 0.0)])),
            (
                "value a 1e-3\nvalue b -0\nvalue c +.5\n",
                some(&[("A", 0.001), ("B", 0.0), ("C", 0.5)]),
            ),
        ] {
            assert_eq!(read(printed), expected, "{printed:?}");
        }
        assert!(read("value a -0").is_ok_and(|values| values["A"].is_sign_positive()));
        for (printed, says) in [
            ("value ", "`value`, expected `value MOVE NUMBER`"),
            ("value 0.5", "`value 0.5`, expected `value MOVE NUMBER`"),
            ("value a", "`value a`, expected `value MOVE NUMBER`"),
            ("value a b", "`value a b`, expected a number from 0 to 1 as the last word"),
            ("value a NaN", "`value a NaN`, expected a number"),
            ("value a inf", "`value a inf`, expected a number"),
            ("value a 2", "`value a 2`, expected a number"),
            ("value a -1", "`value a -1`, expected a number"),
            ("value a 1.0000001", "expected a number"),
            ("value a 0,5", "expected a number"),
            ("value a \u{1b}[2J", "`value a \\u{1b}[2J`, expected a number"),
            ("value no 1\nvalue a 2", "`value no 1`: not legal"),
        ] {
            let error = read(printed);
            assert!(error.as_ref().is_err_and(|error| error.contains(says)), "{error:?}, {says}");
        }
    }

    /// A move as the protocol has it: printable ASCII with single blanks between its words.
    fn mv() -> impl Strategy<Value = String> {
        proptest::collection::vec("[!-~]{1,4}", 1..5).prop_map(|words| words.join(" "))
    }

    proptest! {
        #[test]
        fn the_last_value_of_each_move_is_read_among_other_lines(
            stated in proptest::collection::vec((mv(), 0.0..=1.0, "[ -~]{0,12}"), 0..20),
        ) {
            let mut printed = String::new();
            let mut expected = BTreeMap::new();
            for (mv, chance, other) in &stated {
                printed.push_str(&format!("~{other}\nvalue {mv} {chance}\n"));
                expected.insert(mv.clone(), *chance);
            }
            let spelt = |text: &str| Ok(text.to_owned());
            prop_assert_eq!(values(printed.as_bytes(), spelt), Ok(expected));
        }

        #[test]
        fn no_bytes_make_a_value_that_is_no_chance(
            bytes in proptest::collection::vec(any::<u8>(), 0..200),
            number in "[-+.0-9einfNa]{0,8}",
        ) {
            let printed = [b"value ".as_slice(), &bytes, b" ", number.as_bytes()].concat();
            match values(&printed, spelt) {
                Ok(values) => {
                    prop_assert!(values.values().all(|chance| (0.0..=1.0).contains(chance)));
                }
                Err(said) => {
                    prop_assert!(!said.chars().any(char::is_control), "{}", said);
                    prop_assert!(said.chars().count() < 3_000, "{}", said);
                }
            }
        }
    }
}
