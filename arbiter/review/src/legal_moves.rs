//! The legal moves of a request, as someone outside spells them.

use std::cell::OnceCell;
use std::collections::BTreeMap;

use rules::wire::{NotRequest, PlainRequest};
use rules::{Answer, Dialect, Sample};

/// The legal moves of a request.
pub(crate) struct LegalMoves<'a> {
    request: &'a str,
    /// The places of the listed ones.
    listed: BTreeMap<&'a str, usize>,
    /// The position, once a text was looked for that is not in the list.
    sample: OnceCell<Result<Sample, String>>,
}

impl<'a> LegalMoves<'a> {
    /// Those of the text of a request.
    pub(crate) fn read(request: &'a str) -> Result<LegalMoves<'a>, NotRequest> {
        let legal = PlainRequest::read(request)?.legal;
        let listed = legal.into_iter().enumerate().map(|(place, mv)| (mv, place)).collect();
        Ok(LegalMoves { request, listed, sample: OnceCell::new() })
    }

    /// The number of listed moves.
    pub(crate) fn count(&self) -> usize {
        self.listed.len()
    }

    /// The place of a move in the list; those that are not in it come last.
    pub(crate) fn place(&self, mv: &str) -> usize {
        self.listed.get(mv).copied().unwrap_or(usize::MAX)
    }

    /// The one spelling of the legal move that a text means, read as an answer is.
    pub(crate) fn spelt(&self, text: &str) -> Result<String, String> {
        if self.listed.contains_key(text) {
            return Ok(text.to_owned());
        }
        let read = || Sample::read(self.request).map_err(|error| error.to_string());
        let sample = self.sample.get_or_init(read).as_ref().map_err(String::clone)?;
        let answer = Answer::Output(text.as_bytes().to_vec());
        match sample.played(Dialect::Native, answer.clone()) {
            Some(mv) => Ok(mv),
            None => Err(sample.rule(Dialect::Native, answer).detail),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_move_is_read_as_an_answer_is_and_keeps_its_place_in_the_list() {
        let request = include_str!("../../../examples/requests/tablic/first-move.txt");
        let moves = LegalMoves::read(request).expect("a request");
        let listed = PlainRequest::read(request).expect("a request").legal;
        assert_eq!(moves.count(), listed.len());
        for (place, mv) in listed.iter().enumerate() {
            let mut words: Vec<&str> = mv.split(' ').collect();
            words[1..].reverse();
            let other = words.join(" ").to_ascii_lowercase();
            assert_eq!(moves.spelt(&other).as_deref(), Ok(*mv), "{other}");
            assert_eq!(moves.place(mv), place);
        }
        assert!(moves.spelt("1S").is_err_and(|why| why.contains("expected a card")));
        assert!(moves.spelt("2C 2D").is_err());
        assert_eq!(moves.place("2C 2D"), usize::MAX);
        assert!(LegalMoves::read("no request").is_err());
    }
}
