//! The search for a best perfect matching.
//!
//! This is Edmonds' algorithm in its primal and dual form, as described by Galil (1986). Every vertex and every
//! *blossom*, an odd set of vertices, has a number, its dual. The *slack* of an edge is the sum of the duals of its
//! ends minus twice its weight. It is never negative between different blossoms, and a perfect matching whose edges
//! have no slack is a best one. A search makes a tree of alternating paths from a vertex without a mate; vertices at
//! even distance and nodes with them are [`Even`](Label::Even), the others [`Odd`](Label::Odd). If it cannot grow along
//! edges without slack, the duals change until one more has none.
//!
//! A matching that is the best one stays one in all but a few places if the weights of the edges of a single vertex
//! change: the vertex loses its mate, the blossoms around it are dissolved, and one more search finds the new best
//! matching. So each preference of a vertex in a blossom takes one search, and weights never need room for all
//! preferences (`prefer`).

use std::collections::VecDeque;

use super::wide::WideInteger;

/// No vertex, node or edge.
pub(super) const NONE: usize = usize::MAX;

/// No edge, in the matrix of edges.
pub(super) const NO_EDGE: u32 = u32::MAX;

/// A best perfect matching of a graph, and the duals that prove it.
///
/// *Nodes* are the vertices, and after them the blossoms.
pub(super) struct Search<const N: usize> {
    pub(super) vertices: usize,
    /// For both orders of every two vertices, the place of their weight.
    pub(super) edges: Vec<u32>,
    /// Twice the weights.
    pub(super) weights: Vec<WideInteger<N>>,
    pub(super) duals: Vec<WideInteger<N>>,
    /// By vertex.
    pub(super) mates: Vec<usize>,
    /// By vertex, the outermost node that holds it.
    pub(super) outer: Vec<usize>,
    /// By node, the blossom that it is a part of.
    parents: Vec<usize>,
    /// By node, the vertex whose mate is outside of the node.
    pub(super) bases: Vec<usize>,
    /// By node; those of a blossom are a cycle that begins with the part that holds the base. The others are mates
    /// of each other in pairs, along the cycle.
    pub(super) parts: Vec<Vec<BlossomPart>>,
    /// Blossoms that are not in use.
    unused: Vec<usize>,
    /// By node; only those of outermost nodes count.
    labels: Vec<Label>,
    /// By odd node, the edge that leads to it from an even one.
    entries: Vec<[usize; 2]>,
    /// By vertex, the even vertex with the least slack to it, in another node.
    nearest: Vec<usize>,
    /// Even vertices whose edges have not been looked at.
    queue: VecDeque<usize>,
    /// By vertex, a bit for each vertex that an edge without slack leads to; empty before the first preference. Inside
    /// of a blossom it has all edges.
    pub(super) tight: Vec<u64>,
}

#[derive(Debug, Clone, Copy)]
pub(super) struct BlossomPart {
    pub(super) node: usize,
    /// The edge from one of its vertices to one of the next part.
    next: [usize; 2],
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Label {
    Free,
    Even,
    Odd,
}

/// What becomes possible once duals have changed.
#[derive(Debug, Clone, Copy)]
enum DualEvent {
    /// The tree reaches a free vertex from an even one.
    Grow(usize, usize),
    /// Two even vertices meet: they close a cycle, or they belong to different trees.
    Join(usize, usize),
    /// The dual of an odd blossom is 0.
    Expand(usize),
}

impl<const N: usize> Search<N> {
    /// Finds a best perfect matching of a graph with these edges, which are in both orders of their ends, and these
    /// weights; none where there is no perfect one.
    pub(super) fn new(
        vertices: usize,
        edges: Vec<u32>,
        weights: impl Iterator<Item = WideInteger<N>>,
    ) -> Option<Search<N>> {
        let mut search = Search {
            vertices,
            edges,
            weights: weights.map(WideInteger::double).collect(),
            duals: vec![WideInteger::ZERO; 2 * vertices],
            mates: vec![NONE; vertices],
            outer: (0..vertices).collect(),
            parents: vec![NONE; 2 * vertices],
            bases: (0..2 * vertices).collect(),
            parts: vec![Vec::new(); 2 * vertices],
            unused: (vertices..2 * vertices).rev().collect(),
            labels: vec![Label::Free; 2 * vertices],
            entries: vec![[NONE; 2]; 2 * vertices],
            nearest: vec![NONE; vertices],
            queue: VecDeque::new(),
            tight: Vec::new(),
        };
        for vertex in 0..vertices {
            let weights = search.row(vertex).map(|(_, weight)| search.weights[weight]);
            search.duals[vertex] = weights.max()?.half();
        }
        search.pair_directly();
        for vertex in 0..vertices {
            if search.mates[vertex] == NONE {
                // All duals stay even, as searches from several vertices need it.
                let row = search.row(vertex);
                let slack = row.map(|(other, _)| search.slack(vertex, other)).min()?;
                search.duals[vertex] -= slack;
            }
        }
        loop {
            search.pair_directly();
            let alone: Vec<usize> =
                (0..vertices).filter(|vertex| search.mates[*vertex] == NONE).collect();
            if alone.is_empty() {
                return Some(search);
            }
            if !search.find_mates(&alone) {
                return None;
            }
        }
    }

    /// Makes mates of vertices without one where an edge without slack allows it.
    fn pair_directly(&mut self) {
        let is_alone = |search: &Self, node: usize| search.mates[search.bases[node]] == NONE;
        for one in 0..self.vertices {
            let node = self.outer[one];
            if !is_alone(self, node) {
                continue;
            }
            let other = self.row(one).map(|(other, _)| other).find(|other| {
                let next = self.outer[*other];
                next != node && is_alone(self, next) && self.slack(one, *other).is_zero()
            });
            if let Some(other) = other {
                self.rebase(node, one);
                self.rebase(self.outer[other], other);
                (self.mates[one], self.mates[other]) = (other, one);
            }
        }
    }

    /// The mate of each vertex.
    pub(super) fn mates(&self) -> &[usize] {
        &self.mates
    }

    /// The vertices that a vertex has edges to, each with the place of the weight.
    pub(super) fn row(&self, vertex: usize) -> impl Iterator<Item = (usize, usize)> + '_ {
        let row = &self.edges[vertex * self.vertices..(vertex + 1) * self.vertices];
        let edges = row.iter().enumerate().filter(|(_, edge)| **edge != NO_EDGE);
        edges.map(|(other, edge)| (other, *edge as usize))
    }

    pub(super) fn set_edge(&mut self, one: usize, other: usize, edge: u32) {
        self.edges[one * self.vertices + other] = edge;
        self.edges[other * self.vertices + one] = edge;
    }

    /// The slack of an edge between different outermost nodes.
    #[inline]
    pub(super) fn slack(&self, one: usize, other: usize) -> WideInteger<N> {
        let weight = self.edges[one * self.vertices + other] as usize;
        self.duals[one] + self.duals[other] - self.weights[weight]
    }

    /// The matching again, after the edges of a vertex have changed. There must be a perfect one.
    pub(super) fn find_another_mate(&mut self, vertex: usize) {
        let node = self.outer[vertex];
        let base = self.bases[node];
        let mate = self.mates[base];
        if mate != NONE {
            (self.mates[base], self.mates[mate]) = (NONE, NONE);
        }
        self.rebase(node, vertex);
        self.mates[vertex] = NONE;
        while self.outer[vertex] != vertex {
            self.dissolve(self.outer[vertex]);
        }
        let duals = self.row(vertex).map(|(other, edge)| self.weights[edge] - self.duals[other]);
        self.duals[vertex] = duals.max().unwrap_or(WideInteger::ZERO);
        self.find_mates(&[vertex]);
    }

    /// Searches for mates for two vertices without one, of which these are the roots of the trees; false if the
    /// matching cannot become perfect. It changes other mates on the way.
    fn find_mates(&mut self, roots: &[usize]) -> bool {
        self.labels.fill(Label::Free);
        self.nearest.fill(NONE);
        self.queue.clear();
        for root in roots {
            self.reach(self.outer[*root]);
        }
        let mut events = Vec::new();
        let is_found = 'found: loop {
            while let Some(vertex) = self.queue.pop_front() {
                if self.look_around(vertex) {
                    break 'found true;
                }
            }
            self.change_duals(&mut events);
            if events.is_empty() {
                break false;
            }
            for event in events.drain(..) {
                match event {
                    DualEvent::Grow(from, to) if self.label_of(to) == Label::Free => {
                        if self.grow(from, to) {
                            break 'found true;
                        }
                    }
                    DualEvent::Join(one, other) if self.outer[one] != self.outer[other] => {
                        if self.join(one, other) {
                            break 'found true;
                        }
                    }
                    DualEvent::Expand(node)
                        if self.is_outermost_blossom(node) && self.labels[node] == Label::Odd =>
                    {
                        self.expand(node);
                    }
                    DualEvent::Grow(..) | DualEvent::Join(..) | DualEvent::Expand(_) => {}
                }
            }
        };
        for node in self.vertices..2 * self.vertices {
            if self.is_outermost_blossom(node) && self.duals[node].is_zero() {
                self.release(node);
            }
        }
        is_found
    }

    fn label_of(&self, vertex: usize) -> Label {
        self.labels[self.outer[vertex]]
    }

    /// An outermost node becomes even.
    fn reach(&mut self, node: usize) {
        self.labels[node] = Label::Even;
        if node < self.vertices {
            self.queue.push_back(node);
        } else {
            let outer = &self.outer;
            self.queue.extend((0..self.vertices).filter(|vertex| outer[*vertex] == node));
        }
    }

    /// Looks at the edges of an even vertex; true if the matching was made larger.
    fn look_around(&mut self, vertex: usize) -> bool {
        self.nearest[vertex] = NONE;
        let mut least = None;
        for other in 0..self.vertices {
            let edge = self.edges[vertex * self.vertices + other];
            let (own, node) = (self.outer[vertex], self.outer[other]);
            if edge == NO_EDGE || own == node {
                continue;
            }
            let label = self.labels[node];
            if label == Label::Odd && node == other {
                // It will not be free again in this search.
                continue;
            }
            let slack = self.slack(vertex, other);
            match label {
                Label::Even if slack.is_zero() => {
                    if self.join(vertex, other) {
                        return true;
                    }
                }
                Label::Even => {
                    if least.is_none_or(|least| slack < least) {
                        least = Some(slack);
                        self.nearest[vertex] = other;
                    }
                }
                Label::Free if slack.is_zero() => {
                    if self.grow(vertex, other) {
                        return true;
                    }
                }
                Label::Free | Label::Odd => {
                    let nearest = self.nearest[other];
                    if nearest == NONE || slack < self.slack(nearest, other) {
                        self.nearest[other] = vertex;
                    }
                }
            }
        }
        false
    }

    /// Changes duals as far as it takes until something happens, and lists all that does; nothing if there is no
    /// perfect matching.
    fn change_duals(&mut self, events: &mut Vec<DualEvent>) {
        let mut least: Option<WideInteger<N>> = None;
        let mut offer = |by: WideInteger<N>, event: DualEvent| {
            if least.is_none_or(|least| by < least) {
                least = Some(by);
                events.clear();
            }
            if least == Some(by) {
                events.push(event);
            }
        };
        for vertex in 0..self.vertices {
            let label = self.label_of(vertex);
            let mut near = self.nearest[vertex];
            if label == Label::Even && near != NONE && self.outer[near] == self.outer[vertex] {
                near = self.nearest_outside(vertex);
                self.nearest[vertex] = near;
            }
            match label {
                _ if near == NONE => {}
                Label::Free => offer(self.slack(near, vertex), DualEvent::Grow(near, vertex)),
                Label::Even => {
                    offer(self.slack(near, vertex).half(), DualEvent::Join(near, vertex));
                }
                Label::Odd => {}
            }
        }
        let blossoms = self.vertices..2 * self.vertices;
        let outermost: Vec<usize> =
            blossoms.filter(|node| self.is_outermost_blossom(*node)).collect();
        for &node in outermost.iter().filter(|node| self.labels[**node] == Label::Odd) {
            offer(self.duals[node].half(), DualEvent::Expand(node));
        }
        let Some(by) = least.filter(|by| !by.is_zero()) else { return };
        for vertex in 0..self.vertices {
            match self.label_of(vertex) {
                Label::Even => self.duals[vertex] -= by,
                Label::Odd => self.duals[vertex] += by,
                Label::Free => {}
            }
        }
        for node in outermost {
            match self.labels[node] {
                Label::Even => self.duals[node] += by.double(),
                Label::Odd => self.duals[node] -= by.double(),
                Label::Free => {}
            }
        }
    }

    /// The even vertex in another node with the least slack to an even one.
    fn nearest_outside(&self, vertex: usize) -> usize {
        let others = self.row(vertex).map(|(other, _)| other).filter(|other| {
            self.label_of(*other) == Label::Even && self.outer[*other] != self.outer[vertex]
        });
        others.min_by_key(|other| self.slack(vertex, *other)).unwrap_or(NONE)
    }

    /// Adds a free node to the tree, which an edge without slack leads to, and its mate; true if it has none and the
    /// matching was made larger.
    fn grow(&mut self, from: usize, to: usize) -> bool {
        let node = self.outer[to];
        let mate = self.mates[self.bases[node]];
        if mate == NONE {
            self.rebase(node, to);
            self.mates[to] = from;
            self.augment(from, to);
            return true;
        }
        self.labels[node] = Label::Odd;
        self.entries[node] = [from, to];
        self.reach(self.outer[mate]);
        false
    }

    /// Makes mates of two vertices, where the first is even, and changes all from there to the root. The mate of the
    /// second one is left to the caller.
    fn augment(&mut self, mut from: usize, mut to: usize) {
        loop {
            let node = self.outer[from];
            let mate = self.mates[self.bases[node]];
            self.rebase(node, from);
            self.mates[from] = to;
            if mate == NONE {
                return;
            }
            let odd = self.outer[mate];
            [from, to] = self.entries[odd];
            self.rebase(odd, to);
            self.mates[to] = from;
        }
    }

    /// Makes a vertex the base of a node that holds it. Its mate is left to the caller.
    pub(super) fn rebase(&mut self, node: usize, base: usize) {
        self.bases[node] = base;
        if node < self.vertices {
            return;
        }
        let first = self.part_with(node, base);
        self.rebase(first, base);
        let mut parts = std::mem::take(&mut self.parts[node]);
        let place = parts.iter().position(|part| part.node == first).unwrap_or(0);
        parts.rotate_left(place);
        for pair in parts[1..].chunks_exact(2) {
            let [one, other] = pair[0].next;
            if self.mates[one] != other {
                self.rebase(pair[0].node, one);
                self.rebase(pair[1].node, other);
                (self.mates[one], self.mates[other]) = (other, one);
            }
        }
        self.parts[node] = parts;
    }

    /// The part of a blossom that holds a vertex.
    fn part_with(&self, blossom: usize, vertex: usize) -> usize {
        let mut node = vertex;
        while self.parents[node] != blossom {
            node = self.parents[node];
        }
        node
    }

    /// The nodes from that of an even vertex to one above it in the tree, each with the edge to the next one.
    fn way_up(&self, vertex: usize, top: usize) -> Vec<BlossomPart> {
        let mut node = self.outer[vertex];
        let mut way = Vec::new();
        while node != top {
            let base = self.bases[node];
            let mate = self.mates[base];
            if mate == NONE {
                break;
            }
            let odd = self.outer[mate];
            let [from, to] = self.entries[odd];
            way.push(BlossomPart { node, next: [base, mate] });
            way.push(BlossomPart { node: odd, next: [to, from] });
            node = self.outer[from];
        }
        way
    }

    /// Uses an edge without slack between even vertices of two outermost nodes. In one tree it closes a cycle, which
    /// becomes a blossom; true if it joins two trees and the matching was made larger.
    fn join(&mut self, one: usize, other: usize) -> bool {
        let up = |vertex| {
            let way = self.way_up(vertex, NONE);
            let last = way.last().map_or(vertex, |part| part.next[1]);
            way.iter().map(|part| part.node).chain([self.outer[last]]).collect::<Vec<usize>>()
        };
        let (ones, others) = (up(one), up(other));
        let both = ones.iter().rev().zip(others.iter().rev());
        let Some((&top, _)) = both.take_while(|(one, other)| one == other).last() else {
            self.augment(one, other);
            self.augment(other, one);
            return true;
        };
        if let Some(blossom) = self.unused.pop() {
            self.contract([one, other], top, blossom);
        }
        false
    }

    /// Makes a blossom of the cycle that an edge closes below a node of the tree.
    fn contract(&mut self, [one, other]: [usize; 2], top: usize, blossom: usize) {
        let mut next = [one, other];
        let mut down = Vec::new();
        for part in self.way_up(one, top) {
            down.push(BlossomPart { node: part.node, next });
            next = [part.next[1], part.next[0]];
        }
        let mut parts = vec![BlossomPart { node: top, next }];
        parts.extend(down.into_iter().rev());
        parts.extend(self.way_up(other, top));

        parts.iter().for_each(|part| self.parents[part.node] = blossom);
        self.parts[blossom] = parts;
        self.bases[blossom] = self.bases[top];
        self.labels[blossom] = Label::Even;
        self.duals[blossom] = WideInteger::ZERO;
        for vertex in 0..self.vertices {
            let node = self.outer[vertex];
            if self.parents[node] == blossom {
                self.outer[vertex] = blossom;
                if self.labels[node] == Label::Odd {
                    self.queue.push_back(vertex);
                }
            }
        }
    }

    fn is_outermost_blossom(&self, node: usize) -> bool {
        node >= self.vertices && self.parents[node] == NONE && !self.parts[node].is_empty()
    }

    /// Makes a node the outermost one of its vertices.
    fn set_outermost(&mut self, node: usize) {
        self.parents[node] = NONE;
        self.labels[node] = Label::Free;
        let mut nodes = vec![node];
        while let Some(inner) = nodes.pop() {
            nodes.extend(self.parts[inner].iter().map(|part| part.node));
            if inner < self.vertices {
                self.outer[inner] = node;
            }
        }
    }

    /// Makes outermost nodes of the parts of an outermost blossom.
    pub(super) fn open(&mut self, blossom: usize) -> Vec<BlossomPart> {
        let parts = std::mem::take(&mut self.parts[blossom]);
        parts.iter().for_each(|part| self.set_outermost(part.node));
        self.unused.push(blossom);
        parts
    }

    /// Opens an outermost blossom with a dual of 0, and those of its parts that are such blossoms.
    fn release(&mut self, blossom: usize) {
        let mut nodes = vec![blossom];
        while let Some(node) = nodes.pop() {
            if node >= self.vertices && self.duals[node].is_zero() {
                nodes.extend(self.parts[node].drain(..).map(|part| part.node));
                self.unused.push(node);
            } else {
                self.set_outermost(node);
            }
            self.parents[node] = NONE;
        }
    }

    /// Opens an odd blossom: the tree goes on through an even number of its parts.
    fn expand(&mut self, blossom: usize) {
        let [from, to] = self.entries[blossom];
        let first = self.part_with(blossom, to);
        let parts = self.open(blossom);
        let start = parts.iter().position(|part| part.node == first).unwrap_or(0);
        let (mut place, mut entry) = (start, [from, to]);
        loop {
            let node = parts[place].node;
            self.labels[node] = Label::Odd;
            self.entries[node] = entry;
            if place == 0 {
                return;
            }
            // The next part is the mate of this one.
            let (even, odd) = if start.is_multiple_of(2) {
                (place - 1, place - 2)
            } else {
                (place + 1, (place + 2) % parts.len())
            };
            entry = if start.is_multiple_of(2) {
                let [to, from] = parts[odd].next;
                [from, to]
            } else {
                parts[even].next
            };
            self.reach(parts[even].node);
            place = odd;
        }
    }

    /// Opens an outermost blossom without a mate, or one whose vertices are cut off from all others.
    pub(super) fn dissolve(&mut self, blossom: usize) {
        let half = self.duals[blossom].half();
        for vertex in 0..self.vertices {
            if self.outer[vertex] == blossom {
                self.duals[vertex] += half;
            }
        }
        for part in self.open(blossom) {
            if self.is_outermost_blossom(part.node) && self.duals[part.node].is_zero() {
                self.release(part.node);
            }
        }
    }
}
