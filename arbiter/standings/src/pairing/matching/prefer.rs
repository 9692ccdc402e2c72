//! Preferences: of equally good matchings, the one that gives a vertex the mate that it should have.
//!
//! An edge of a best matching has no slack, whatever the duals are. If there are no blossoms, every perfect matching of
//! such edges is a best one. So a vertex is taken out of the graph, and one search along such edges from its mate
//! finds all other mates that it can have, without a change of duals. The search is the simple form of Edmonds'
//! algorithm, which keeps the base of each closed cycle instead of making blossoms. Blossoms that there are have a
//! dual above 0 and exactly one edge of the matching to outside, so each counts as one vertex.
//!
//! A vertex that is itself in a blossom takes the long way: its edges get other weights, and it is matched again.

use std::collections::{BTreeSet, VecDeque};

use super::Preference;
use super::search::{NO_EDGE, NONE, Search};
use super::wide::WideInteger;

/// A search for the mates that a vertex can have, from the one that it has.
struct MateSearch {
    /// By node, the node that stands for the closed cycle that holds it.
    bases: Vec<usize>,
    /// By base, the nodes that it stands for.
    members: Vec<Vec<usize>>,
    /// By base, the number of the last cycle whose top was looked for there.
    seen: Vec<usize>,
    cycle: usize,
    /// By node at odd distance, and by node of a closed cycle: the edge that leads back towards the mate, from a
    /// vertex of the node.
    back: Vec<[usize; 2]>,
    /// A bit for each vertex that has not been reached.
    fresh: Vec<u64>,
    /// A bit for each vertex at even distance: those that can be the new mate.
    even: Vec<u64>,
    /// Nodes at even distance whose edges have not been looked at.
    queue: VecDeque<usize>,
    /// A bit for each vertex but those of the node whose mates are looked for.
    outside: Vec<u64>,
}

impl<const N: usize> Search<N> {
    /// Of the best matchings, keeps those that the first preference likes best, of these those that the second one
    /// does, and so on.
    ///
    /// The least bits of all weights must be 0 where there is room for the number of vertices. The mates that are found
    /// for vertices from `others` on need not be those of one matching.
    pub(super) fn prefer_all(&mut self, preferences: &[Preference<'_>], others: usize) {
        if !preferences.is_empty() {
            self.find_tight();
        }
        for (place, preference) in preferences.iter().enumerate() {
            let vertex = preference.vertex;
            while self.outer[vertex] != vertex {
                let blossom = self.outer[vertex];
                let is_alone =
                    preferences[place..].iter().all(|it| self.outer[it.vertex] == blossom);
                if !is_alone || !self.isolate(blossom, others) {
                    break;
                }
            }
            if self.outer[vertex] == vertex {
                self.prefer(vertex, &preference.number);
            } else {
                self.prefer_in_blossom(vertex, &preference.number);
                self.find_tight();
            }
        }
    }

    /// Opens an outermost blossom when nothing but the mates of its vertices matters any more, and which of them has
    /// its mate outside, but not who that is. The mate outside then stands for all that are possible. Returns false if
    /// one of these is not among the others, where it would matter.
    fn isolate(&mut self, blossom: usize, others: usize) -> bool {
        let base = self.bases[blossom];
        let outside = self.mates[base];
        let ways = self.ways(blossom, |_| false);
        let vertices: Vec<usize> = self.vertices_of(blossom).collect();
        let possible = |from: &usize| {
            let row = self.tight_words(*from).iter().zip(&ways.even);
            ones(row.map(|(word, even)| word & even).collect::<Vec<u64>>().into_iter()).next()
        };
        let first: Vec<Option<usize>> = vertices.iter().map(possible).collect();
        if outside < others || first.iter().flatten().any(|first| *first < others) {
            return false;
        }
        self.dissolve(blossom);
        for from in (0..self.vertices).filter(|vertex| ways.is_outside(*vertex)) {
            for to in 0..self.vertices {
                self.set_edge(from, to, NO_EDGE);
            }
        }
        while self.outer[outside] != outside {
            self.open(self.outer[outside]);
        }
        // All sums of duals along edges without slack are even, as searches need it.
        self.duals[outside] = self.duals[base];
        for (from, _) in vertices.iter().zip(first).filter(|(_, first)| first.is_some()) {
            self.weights.push(self.duals[*from] + self.duals[outside]);
            self.set_edge(*from, outside, (self.weights.len() - 1) as u32);
        }
        self.find_tight();
        true
    }

    fn prefer(&mut self, vertex: usize, number: &dyn Fn(usize) -> i32) {
        let choices: Vec<(usize, i32)> =
            self.tight_row(vertex).map(|other| (other, number(other))).collect();
        let Some(best) = choices.iter().map(|(_, number)| *number).max() else { return };
        let mut found = number(self.mates[vertex]);
        if found != best {
            let ways = self.ways(vertex, |other| number(other) == best);
            let possible = choices.iter().filter(|(other, _)| ways.is_even(*other));
            if let Some(&(mate, number)) = possible.max_by_key(|(_, number)| *number)
                && number > found
            {
                found = number;
                self.change_mate(vertex, mate, &ways);
            }
        }
        for (other, _) in choices.iter().filter(|(_, number)| *number != found) {
            self.set_edge(vertex, *other, NO_EDGE);
            self.set_tight(vertex, *other, false);
        }
    }

    /// Finds the edges without slack.
    fn find_tight(&mut self) {
        self.tight = vec![0; self.vertices * self.words()];
        for one in 0..self.vertices {
            let others: Vec<usize> = self.row(one).map(|(other, _)| other).collect();
            for other in others.into_iter().filter(|other| *other > one) {
                if self.outer[one] == self.outer[other] || self.slack(one, other).is_zero() {
                    self.set_tight(one, other, true);
                } else {
                    // It is in no best matching.
                    self.set_edge(one, other, NO_EDGE);
                }
            }
        }
    }

    fn words(&self) -> usize {
        self.vertices.div_ceil(64)
    }

    fn set_tight(&mut self, one: usize, other: usize, is_tight: bool) {
        let words = self.words();
        for [from, to] in [[one, other], [other, one]] {
            let word = &mut self.tight[from * words + to / 64];
            *word &= !(1 << (to % 64));
            *word |= u64::from(is_tight) << (to % 64);
        }
    }

    fn tight_words(&self, vertex: usize) -> &[u64] {
        &self.tight[vertex * self.words()..(vertex + 1) * self.words()]
    }

    fn tight_row(&self, vertex: usize) -> impl Iterator<Item = usize> + '_ {
        ones(self.tight_words(vertex).iter().copied())
    }

    /// Searches for other mates of an outermost node, until one is found that is wanted, or all are.
    fn ways(&self, without: usize, is_wanted: impl Fn(usize) -> bool) -> MateSearch {
        let mut ways = MateSearch {
            bases: (0..2 * self.vertices).collect(),
            members: (0..2 * self.vertices).map(|node| vec![node]).collect(),
            seen: vec![0; 2 * self.vertices],
            cycle: 0,
            back: vec![[NONE; 2]; 2 * self.vertices],
            fresh: vec![u64::MAX; self.words()],
            even: vec![0; self.words()],
            queue: VecDeque::new(),
            outside: vec![u64::MAX; self.words()],
        };
        let base = self.bases[without];
        let mut wanted = vec![0; self.words()];
        self.tight_row(base).filter(|other| is_wanted(*other)).for_each(|it| set(&mut wanted, it));
        let is_found =
            |ways: &MateSearch| ways.even.iter().zip(&wanted).any(|(one, two)| one & two != 0);

        for vertex in self.vertices_of(without) {
            clear(&mut ways.fresh, vertex);
            clear(&mut ways.outside, vertex);
        }
        let mate = self.outer[self.mates[base]];
        self.make_even(&mut ways, mate);
        while let Some(node) = ways.queue.pop_front() {
            for from in self.vertices_of(node) {
                let row = self.tight_words(from);
                for (place, word) in row.iter().enumerate() {
                    // Words change while the search goes on.
                    let mut left = word & (ways.fresh[place] | ways.even[place]);
                    while left != 0 {
                        let to = place * 64 + left.trailing_zeros() as usize;
                        left &= left - 1;
                        self.go(&mut ways, base, from, to);
                    }
                }
            }
            if is_found(&ways) {
                break;
            }
        }
        ways
    }

    /// Uses an edge from a vertex at even distance.
    fn go(&self, ways: &mut MateSearch, without: usize, from: usize, to: usize) {
        let (node, next) = (self.outer[from], self.outer[to]);
        if node == next || ways.bases[node] == ways.bases[next] {
            return;
        }
        if ways.is_even(to) {
            let top = self.common_base(ways, without, node, next);
            let mut closed = self.close(ways, node, top, [from, to]);
            closed.extend(self.close(ways, next, top, [to, from]));
            for base in closed {
                for node in std::mem::take(&mut ways.members[base]) {
                    ways.bases[node] = top;
                    ways.members[top].push(node);
                    if !ways.is_even(self.bases[node]) {
                        self.make_even(ways, node);
                    }
                }
            }
        } else if ways.is_fresh(to) {
            ways.back[next] = [to, from];
            self.vertices_of(next).for_each(|vertex| clear(&mut ways.fresh, vertex));
            self.make_even(ways, self.outer[self.mates[self.bases[next]]]);
        }
    }

    fn make_even(&self, ways: &mut MateSearch, node: usize) {
        for vertex in self.vertices_of(node) {
            clear(&mut ways.fresh, vertex);
            set(&mut ways.even, vertex);
        }
        ways.queue.push_back(node);
    }

    /// The node at odd distance from which the search came to a node at even distance; none for the first one.
    fn predecessor(&self, without: usize, node: usize) -> Option<usize> {
        let mate = self.mates[self.bases[node]];
        (mate != without).then(|| self.outer[mate])
    }

    /// The base of the least cycle that two nodes at even distance close.
    fn common_base(
        &self,
        ways: &mut MateSearch,
        without: usize,
        one: usize,
        other: usize,
    ) -> usize {
        ways.cycle += 1;
        for start in [one, other] {
            let mut next = Some(start);
            while let Some(node) = next {
                let base = ways.bases[node];
                if std::mem::replace(&mut ways.seen[base], ways.cycle) == ways.cycle {
                    return base;
                }
                next = self.predecessor(without, base).map(|odd| self.outer[ways.back[odd][1]]);
            }
        }
        one
    }

    /// Goes up one side of a cycle, notes the way round it for each node, and lists the bases that are closed.
    fn close(
        &self,
        ways: &mut MateSearch,
        node: usize,
        top: usize,
        edge: [usize; 2],
    ) -> Vec<usize> {
        let (mut node, mut edge) = (node, edge);
        let mut closed = Vec::new();
        while ways.bases[node] != top {
            let odd = self.outer[self.mates[self.bases[node]]];
            closed.extend([ways.bases[node], ways.bases[odd]]);
            ways.back[node] = edge;
            let [to, from] = ways.back[odd];
            edge = [from, to];
            node = self.outer[from];
        }
        closed
    }

    /// Gives a vertex one of the mates that were found.
    fn change_mate(&mut self, vertex: usize, mate: usize, ways: &MateSearch) {
        let (mut one, mut other) = (vertex, mate);
        loop {
            let node = self.outer[other];
            let before = self.mates[self.bases[node]];
            self.rebase(node, other);
            self.rebase(self.outer[one], one);
            (self.mates[one], self.mates[other]) = (other, one);
            if before == vertex {
                return;
            }
            [one, other] = ways.back[self.outer[before]];
        }
    }

    /// The vertices of an outermost node.
    fn vertices_of(&self, node: usize) -> impl Iterator<Item = usize> + '_ {
        let mut nodes = vec![node];
        std::iter::from_fn(move || {
            while let Some(inner) = nodes.pop() {
                if inner < self.vertices {
                    return Some(inner);
                }
                nodes.extend(self.parts[inner].iter().map(|part| part.node));
            }
            None
        })
    }

    /// As [`prefer`](Search::prefer), for a vertex in a blossom: the numbers become parts of the weights for a while.
    fn prefer_in_blossom(&mut self, vertex: usize, number: &dyn Fn(usize) -> i32) {
        // An edge with slack is in no best matching.
        let others: Vec<usize> = self.row(vertex).map(|(other, _)| other).collect();
        for other in others {
            if self.outer[other] != self.outer[vertex] && !self.slack(vertex, other).is_zero() {
                self.set_edge(vertex, other, NO_EDGE);
            }
        }
        let edges: Vec<(usize, u32, i32)> =
            self.row(vertex).map(|(other, weight)| (other, weight as u32, number(other))).collect();
        let ranks: BTreeSet<i32> = edges.iter().map(|(.., number)| *number).collect();
        if ranks.len() < 2 {
            return;
        }
        if ranks.last() != Some(&number(self.mates[vertex])) {
            let count = self.weights.len();
            for (rank, value) in ranks.iter().enumerate() {
                for (other, weight, _) in edges.iter().filter(|(.., number)| number == value) {
                    let with = self.weights[*weight as usize] + WideInteger::from(2 * rank as i64);
                    self.weights.push(with);
                    self.set_edge(vertex, *other, (self.weights.len() - 1) as u32);
                }
            }
            self.find_another_mate(vertex);
            for (other, weight, _) in &edges {
                self.set_edge(vertex, *other, *weight);
            }
            self.weights.truncate(count);
            let found = number(self.mates[vertex]);
            let rank = ranks.iter().take_while(|value| **value < found).count();
            self.duals[vertex] -= WideInteger::from(2 * rank as i64);
        }
        let found = number(self.mates[vertex]);
        for (other, ..) in edges.iter().filter(|(.., number)| *number != found) {
            self.set_edge(vertex, *other, NO_EDGE);
        }
        if self.outer[vertex] != vertex {
            // An edge of the blossom may be gone.
            self.find_another_mate(vertex);
        }
    }
}

impl MateSearch {
    fn is_even(&self, vertex: usize) -> bool {
        self.even[vertex / 64] >> (vertex % 64) & 1 == 1
    }

    fn is_outside(&self, vertex: usize) -> bool {
        self.outside[vertex / 64] >> (vertex % 64) & 1 == 1
    }

    fn is_fresh(&self, vertex: usize) -> bool {
        self.fresh[vertex / 64] >> (vertex % 64) & 1 == 1
    }
}

fn set(words: &mut [u64], place: usize) {
    words[place / 64] |= 1 << (place % 64);
}

fn clear(words: &mut [u64], place: usize) {
    words[place / 64] &= !(1 << (place % 64));
}

/// The places of the bits that are set.
fn ones(words: impl Iterator<Item = u64>) -> impl Iterator<Item = usize> {
    words.enumerate().flat_map(|(place, word)| {
        let next = |left: &u64| Some(left & (left - 1)).filter(|left| *left != 0);
        let words = std::iter::successors(Some(word).filter(|word| *word != 0), next);
        words.map(move |word| place * 64 + word.trailing_zeros() as usize)
    })
}
