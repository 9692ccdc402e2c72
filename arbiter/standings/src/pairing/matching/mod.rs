//! Perfect matchings, compared by lists of sums.

mod prefer;
mod search;
mod wide;

use std::collections::HashMap;

use self::search::{NO_EDGE, Search};
use self::wide::WideInteger;

/// A graph whose edges have numbers in several fields, the most important one first.
///
/// Matchings are compared by the sums of their fields, as words in a dictionary by their letters.
#[derive(Debug)]
pub(in crate::pairing) struct Graph {
    vertices: usize,
    fields: usize,
    /// For both orders of every two vertices, the place of their numbers among the different ones.
    edges: Vec<u32>,
    /// The different lists of numbers, one after the other, and the place of each.
    lists: Vec<i32>,
    places: HashMap<Box<[i32]>, u32>,
    /// By vertex and field, how far the numbers of its edges are from 0.
    greatest: Vec<u32>,
}

/// What the mate of a vertex should be: that with the greatest number.
pub(in crate::pairing) struct Preference<'a> {
    pub(in crate::pairing) vertex: usize,
    pub(in crate::pairing) number: Box<dyn Fn(usize) -> i32 + 'a>,
}

/// Bits that stay free above a weight, beside one for each doubling of the number of vertices.
const SPARE: u32 = 8;

impl Graph {
    /// A graph without edges, whose edges will have this number of fields.
    pub(in crate::pairing) fn new(vertices: usize, fields: usize) -> Graph {
        Graph {
            vertices,
            fields,
            edges: vec![NO_EDGE; vertices * vertices],
            lists: Vec::new(),
            places: HashMap::new(),
            greatest: vec![0; vertices * fields],
        }
    }

    /// Adds an edge between two vertices, with a number for each field.
    pub(in crate::pairing) fn allow(&mut self, one: usize, other: usize, numbers: &[i32]) {
        for (field, number) in numbers.iter().enumerate().filter(|(_, number)| **number != 0) {
            for vertex in [one, other] {
                let greatest = &mut self.greatest[vertex * self.fields + field];
                *greatest = number.unsigned_abs().max(*greatest);
            }
        }
        let place = match self.places.get(numbers) {
            Some(place) => *place,
            None => {
                let place = self.places.len() as u32;
                self.places.insert(numbers.into(), place);
                self.lists.extend(numbers);
                place
            }
        };
        self.edges[one * self.vertices + other] = place;
        self.edges[other * self.vertices + one] = place;
    }

    /// The best perfect matching, as the mate of each vertex; none without a perfect one. Of equal ones, the first
    /// preference decides, then the second, and so on; the mates of vertices from `others` on do not matter.
    pub(in crate::pairing) fn best_matching<'a>(
        self,
        preferences: impl IntoIterator<Item = Preference<'a>>,
        others: usize,
    ) -> Option<Vec<usize>> {
        let widths = self.widths();
        let room = usize::BITS - self.vertices.leading_zeros();
        let bits = widths.iter().sum::<u32>() + 2 * room + SPARE;
        match bits.div_ceil(u64::BITS) {
            0..=2 => self.matching::<2>(&widths, room, preferences, others),
            3..=4 => self.matching::<4>(&widths, room, preferences, others),
            5..=16 => self.matching::<16>(&widths, room, preferences, others),
            _ => self.matching::<1024>(&widths, room, preferences, others),
        }
    }

    /// The room for each field, in bits: for all differences of its sums over two matchings.
    fn widths(&self) -> Vec<u32> {
        let width = |field: usize| {
            let by_vertex = self.greatest.iter().skip(field).step_by(self.fields);
            // Each edge is counted at both of its ends.
            let most = by_vertex.map(|greatest| u64::from(*greatest)).sum::<u64>();
            u64::BITS - most.leading_zeros()
        };
        (0..self.fields).map(width).collect()
    }

    fn matching<'a, const N: usize>(
        self,
        widths: &[u32],
        room: u32,
        preferences: impl IntoIterator<Item = Preference<'a>>,
        others: usize,
    ) -> Option<Vec<usize>> {
        let weight = |numbers: &[i32]| {
            let fields = widths.iter().zip(numbers);
            let sum = fields.fold(WideInteger::<N>::ZERO, |weight, (bits, number)| {
                weight.append(*bits, i64::from(*number))
            });
            sum.append(room, 0)
        };
        let weights: Vec<WideInteger<N>> = match self.fields {
            0 => vec![WideInteger::ZERO; self.places.len()],
            fields => self.lists.chunks_exact(fields).map(weight).collect(),
        };
        let mut search = Search::new(self.vertices, self.edges, weights.into_iter())?;
        search.prefer_all(&preferences.into_iter().collect::<Vec<_>>(), others);
        Some(search.mates().to_vec())
    }
}
