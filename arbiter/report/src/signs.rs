//! The signs of numbers on pages, where a hyphen is too short for a minus.

/// A text of which negative numbers begin with a minus sign. Hyphens in words and between numbers stay.
pub(crate) fn with_minus(text: impl AsRef<str>) -> String {
    let text = text.as_ref();
    let mut signed = String::with_capacity(text.len());
    let mut before = ' ';
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        let is_sign = letter == '-'
            && !before.is_alphanumeric()
            && letters.peek().is_some_and(char::is_ascii_digit);
        signed.push(if is_sign { '−' } else { letter });
        before = letter;
    }
    signed
}

/// The content of a cell of a table; a dash stands for none.
pub(crate) fn cell(text: impl AsRef<str>) -> String {
    match text.as_ref() {
        "-" => "–".to_owned(),
        text => with_minus(text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn negative_numbers_alone_have_a_minus_sign() {
        assert_eq!(with_minus("-400"), "−400");
        assert_eq!(with_minus("-12 (-30 to 6)"), "−12 (−30 to 6)");
        assert_eq!(
            with_minus("first-move, ranks 1-3, illegal-move 2, p-7"),
            "first-move, ranks 1-3, illegal-move 2, p-7"
        );
        assert_eq!(with_minus("-1.5e-7"), "−1.5e-7");
        assert_eq!((cell("-"), cell("-3")), ("–".to_owned(), "−3".to_owned()));
    }
}
