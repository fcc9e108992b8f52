package dev.cleave.rt;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.LinkedList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Copies of the program's collections, and the queue between two strands. */
class StrandCopiesTest {

    private static final List<Integer> SOME = List.of(5, 3, 9, 1);

    @Test
    void copiesHaveTheSameElementsAndAreOthers() {
        Map<Integer, Integer> map = new LinkedHashMap<>();
        SOME.forEach(each -> map.put(each, each));
        for (Object original : List.of(
                new ArrayList<>(SOME),
                new LinkedList<>(SOME),
                new LinkedHashSet<>(SOME),
                new TreeSet<>(SOME),
                map,
                new TreeMap<>(map))) {
            assertThat(StrandCopies.copy(original))
                    .isEqualTo(original)
                    .isNotSameAs(original)
                    .hasSameClassAs(original)
                    .hasToString(original.toString());
        }
        assertThat(StrandCopies.copy(new ArrayDeque<>(SOME))).hasToString(SOME.toString());
        assertThat(StrandCopies.copy(new HashSet<>(SOME))).isEqualTo(Set.copyOf(SOME)); // perhaps in another order
        assertThat(StrandCopies.copy(new HashMap<>(map))).isEqualTo(map);
    }

    @Test
    void nothingElseIsCopied() {
        Set<Object> odd = new HashSet<>();
        odd.add(new Object());
        Map<Object, Object> keys = new TreeMap<>(Comparator.comparing(Object::toString));
        assertThat(StrandCopies.copy(null)).isNull();
        assertThat(StrandCopies.copy(odd)).isNull();
        assertThat(StrandCopies.copy(keys)).isNull();
        assertThat(StrandCopies.copy(List.of(1))).isNull();
        assertThat(StrandCopies.copy(new ArrayList<>() {})).isNull();
        assertThat(StrandCopies.copy(new StringBuilder("a"))).isNull();
        assertThat(StrandCopies.copy(new ArrayList<>(Collections.nCopies(StrandCopies.MOST_ELEMENTS + 1, 1))))
                .isNull();
        assertThat(StrandCopies.queue(new ArrayList<>(SOME))).isNull();
        assertThat(StrandCopies.queue(new ArrayDeque<>(Collections.nCopies(StrandCopies.MOST_ELEMENTS + 1, 1))))
                .isNull();
    }

    /** Does what the test says. */
    private static final class Idle extends Strand {

        @Override
        protected void step() {}

        void complete() {
            pass();
        }

        void finish() {
            end();
        }
    }

    private final Idle reader = new Idle();
    private final Idle writer = new Idle();

    @SuppressWarnings("unchecked")
    private Queue<Integer> connect(Queue<Integer> program, int behind) {
        Strands nest = new Strands(2, null);
        Strands.add(nest, reader, "\0", "\10", "");
        Strands.add(nest, writer, "", "", "");
        Object read = StrandCopies.copy(program);
        Object written = StrandCopies.queue(program);
        StrandCopies.connect(reader, read, writer, written, behind);
        mine = (Collection<Integer>) read;
        return (Queue<Integer>) written;
    }

    private Collection<Integer> mine = List.of();

    @Test
    void aReaderLearnsWhatWasAddedInPassesBeforeItsOwn() {
        for (Queue<Integer> program : List.of(new ArrayDeque<>(List.of(7)), new LinkedList<>(List.of(7)))) {
            aReaderLearns(program);
        }
    }

    private void aReaderLearns(Queue<Integer> program) {
        StrandCopiesTest fresh = new StrandCopiesTest();
        Queue<Integer> written = fresh.connect(program, 0);
        assertThat(fresh.reader.isTold()).isTrue();
        assertThat(fresh.mine).containsExactly(7);
        fresh.mine.clear();
        written.add(8);
        written.offer(9);
        assertThat(fresh.reader.isTold()).as("empty in its own pass").isTrue();
        assertThat(fresh.mine).isEmpty();
        fresh.reader.complete();
        assertThat(fresh.reader.isTold()).isTrue();
        assertThat(fresh.mine).containsExactly(8, 9);
        fresh.mine.clear();
        assertThat(fresh.reader.isTold()).as("the writer may still add").isFalse();
        fresh.writer.complete();
        assertThat(fresh.reader.isTold()).as("it has begun the same pass").isTrue();
        assertThat(fresh.mine).isEmpty();
        assertThat(program).hasSize(1);
    }

    @Test
    void aReaderBehindTheAdditionsLearnsThoseOfItsOwnPass() {
        Queue<Integer> written = connect(new ArrayDeque<>(), 1);
        assertThat(reader.isTold()).isFalse();
        written.add(8);
        assertThat(reader.isTold()).isTrue();
        assertThat(mine).containsExactly(8);
    }

    @Test
    void aWriterThatEndsTooEarlyEndsTheReader() {
        connect(new ArrayDeque<>(), 0);
        reader.complete();
        writer.finish();
        assertThat(reader.isTold()).isFalse();
        assertThat(reader.hasEnded()).isTrue();
    }

    @Test
    void copiesThatBecomeTooLargeEndTheStrand() {
        Queue<Integer> written = connect(new ArrayDeque<>(), 0);
        StrandCopies.keep(writer, written);
        writer.complete();
        assertThat(writer.hasEnded()).isFalse();
        written.addAll(Collections.nCopies(StrandCopies.MOST_ELEMENTS + 1, 1));
        writer.complete();
        assertThat(writer.hasEnded()).isTrue();
    }
}
