//! Perfect matchings, compared by lists of sums.
//!
//! The crate `integer-blossom` searches; the integers here are long enough for all sums.

mod wide;

use integer_blossom::{Weight, max_weight_matching};

use self::wide::Wide;

/// A graph whose edges have numbers in several fields, the most important one first.
///
/// Matchings are compared by the sums of their fields, as words in a dictionary by their letters.
#[derive(Debug)]
pub(in crate::pairing) struct Graph {
    vertices: usize,
    /// The room for the sum of each field, in bits.
    widths: Vec<u32>,
    /// Both ends and the fields.
    edges: Vec<(usize, usize, Vec<u64>)>,
}

/// Bits that stay free above a weight, because the search adds a few of them.
const SPARE: u32 = 8;

impl Graph {
    /// A graph without edges. The sum of a field over any matching must fit into its width, which is
    /// at most 63 bits.
    pub(in crate::pairing) fn new(vertices: usize, widths: Vec<u32>) -> Graph {
        Graph { vertices, widths, edges: Vec::new() }
    }

    /// Adds an edge between two vertices, the lower one first.
    pub(in crate::pairing) fn allow(&mut self, one: usize, other: usize, fields: &[u64]) {
        self.edges.push((one, other, fields.to_vec()));
    }

    /// The best perfect matching, as the mate of each vertex; none without a perfect one.
    pub(in crate::pairing) fn best_matching(&self) -> Option<Vec<usize>> {
        let bits = self.widths.iter().sum::<u32>() + self.count_bits() + SPARE;
        match bits.div_ceil(u64::BITS) {
            0..=4 => self.matching::<4>(),
            5..=8 => self.matching::<8>(),
            9..=16 => self.matching::<16>(),
            17..=32 => self.matching::<32>(),
            33..=64 => self.matching::<64>(),
            _ => self.matching::<128>(),
        }
    }

    /// Width of the number of edges, which is above all fields, so that a matching is perfect if one
    /// can be.
    fn count_bits(&self) -> u32 {
        usize::BITS - self.vertices.leading_zeros()
    }

    fn matching<const N: usize>(&self) -> Option<Vec<usize>> {
        let mut weights = vec![Wide::<N>::ZERO; self.vertices * self.vertices];
        for (one, other, fields) in &self.edges {
            let fields = self.widths.iter().zip(fields);
            let weight = fields.fold(Wide::ONE, |weight, (bits, it)| weight.append(*bits, *it));
            weights[one * self.vertices + other] = weight;
        }
        max_weight_matching(&weights, self.vertices).into_iter().collect()
    }
}
