package dev.cleave.rt;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cleave.transport.WaitCondition;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A walk through a tree with its strands, written by hand as the agent generates them. */
@Tag("one-jdk")
class StrandNodeTest {

    private static final int SIZE = 0;
    private static final int CHILDREN = 1;
    private static final int SELF = 2;

    private final Site site = new Site("StrandNodeTest", 1, "Folders.any");
    private final List<Result> made = new ArrayList<>();
    private final List<String> log = new ArrayList<>();
    private int width = 2;
    private int folders = 31;
    private int declinedAt = -1;
    private int throwsAt = -1;
    private int begun;
    private int waits;

    /** A result; all that are on their way arrive when the program waits for one. */
    private final class Result extends IntHandle {

        private boolean done;
        private int discards;

        Result(int value) {
            super(value, false);
        }

        @Override
        public boolean isDone() {
            return done;
        }

        @Override
        public boolean awaitOr(WaitCondition other, long since) {
            waits++;
            made.forEach(result -> result.done = true);
            return done;
        }

        @Override
        public void discard() {
            discards++;
        }
    }

    /** Sends the size and the children of a folder. */
    private final class Calls extends Strand {

        private final int folder;

        Calls(int folder) {
            this.folder = folder;
            begun++;
        }

        @Override
        protected Strand fresh(Object[] values) {
            return new Calls((int) values[0]);
        }

        @Override
        protected void step() {
            if (folder == throwsAt) {
                throw new IllegalStateException("folder " + folder);
            }
            if (at == 0) {
                if (!hasRoom(SIZE) || !put(send("size", folder, folder * 7), SIZE)) {
                    return;
                }
                at = 1;
            }
            if (!hasRoom(CHILDREN) || !put(send("children", folder, children(folder)), CHILDREN)) {
                return;
            }
            end();
        }
    }

    /** Begins the activations for the children of a folder. */
    private final class Walk extends Strand {

        private final int folder;
        private int i;
        private int children;

        Walk(int folder) {
            this.folder = folder;
        }

        @Override
        protected Strand fresh(Object[] values) {
            return new Walk((int) values[0]);
        }

        @Override
        protected void step() throws Throwable {
            if (at == 0) {
                if (!look(CHILDREN)) {
                    return;
                }
                children = seenInt();
                at = 1;
            }
            for (; i < children; i++) {
                if (!hasRoom(SELF)) {
                    return;
                }
                begin(new Object[] {width * folder + 1 + i}, SELF);
            }
            end();
        }
    }

    private SentCall send(String call, int folder, int value) {
        if (folder == declinedAt) {
            return null;
        }
        log.add(call + " " + folder);
        Result result = new Result(value);
        made.add(result);
        return new SentCall(result, site);
    }

    private int children(int folder) {
        return Math.max(0, Math.min(width, folders - width * folder - 1));
    }

    private StrandNode open(int window) {
        StrandNode node = StrandNode.open(3);
        String windows = String.valueOf((char) window);
        StrandNode.add(node, new Calls(0), "\0\1", windows + windows, "", "");
        StrandNode.add(node, new Walk(0), "", "", "\1", "\2");
        StrandNode.begin(node);
        return node;
    }

    /** The program as written, with its claims. */
    private long walk(StrandNode node, int folder) throws Throwable {
        long sum = result(node, SIZE, "size", folder, folder * 7);
        int count = result(node, CHILDREN, "children", folder, children(folder));
        for (int i = 0; i < count; i++) {
            sum = 31 * sum + walk(StrandNode.of(StrandNode.next(node, SELF)), width * folder + 1 + i);
        }
        StrandNode.leave(node);
        return sum;
    }

    private int result(StrandNode node, int row, String call, int folder, int value) throws Throwable {
        Object taken = StrandNode.take(node, row);
        if (taken == null) {
            log.add("written " + call + " " + folder);
            return value;
        }
        return ((SentCall) taken).awaitInt();
    }

    private long asWritten(int folder) {
        long sum = folder * 7;
        for (int i = 0; i < children(folder); i++) {
            sum = 31 * sum + asWritten(width * folder + 1 + i);
        }
        return sum;
    }

    private long written() {
        return log.stream().filter(call -> call.startsWith("written")).count();
    }

    @Test
    void eachLevelTakesOneWait() throws Throwable {
        assertThat(walk(open(1_024), 0)).isEqualTo(asWritten(0));

        assertThat(log).hasSize(2 * folders).doesNotHaveDuplicates();
        assertThat(written()).isZero();
        assertThat(waits).isEqualTo(5);
    }

    @Test
    void aWindowOfOneSendsWhatIsNearestFirst() throws Throwable {
        assertThat(walk(open(1), 0)).isEqualTo(asWritten(0));

        assertThat(written()).isZero();
        assertThat(log.subList(0, 8))
                .containsExactly(
                        "size 0", "children 0", "size 1", "children 1", "size 3", "children 3", "size 7", "children 7");
    }

    @Test
    void theNumberOfActivationsAheadIsBounded() throws Throwable {
        width = 5_000;
        folders = 5_001;
        StrandNode node = open(1_024);
        result(node, SIZE, "size", 0, 0);
        result(node, CHILDREN, "children", 0, 0);
        StrandNode.next(node, SELF);

        assertThat(begun).isBetween(1_000, 2_048);
        StrandNode.fail(node);
    }

    @Test
    void beyondTheBoundTheWalkGoesOn() throws Throwable {
        width = 1;
        folders = 3_000;

        assertThat(walk(open(1_024), 0)).isEqualTo(asWritten(0));
        assertThat(written()).isZero();
    }

    @Test
    void whatIsNearIsBegunThoughMuchThatIsFarWaits() throws Throwable {
        width = 1_200;
        folders = 4_000;

        assertThat(walk(open(1_024), 0)).isEqualTo(asWritten(0));
        assertThat(written()).isZero();
        assertThat(waits).isLessThan(100);
    }

    @Test
    void anExceptionGivesUpWhatWasSentOnce() throws Throwable {
        StrandNode node = open(1_024);
        result(node, SIZE, "size", 0, 0);
        result(node, CHILDREN, "children", 0, 0);
        StrandNode child = StrandNode.of(StrandNode.next(node, SELF));
        result(child, SIZE, "size", 1, 0);
        StrandNode.fail(child);
        StrandNode.fail(node);

        assertThat(made.stream().mapToInt(result -> result.discards).sum()).isEqualTo(made.size() - 3);
        assertThat(made.stream().filter(result -> result.discards > 1)).isEmpty();
    }

    @Test
    void whatIsDeclinedLeavesTheActivationAndThoseBelowAsWritten() throws Throwable {
        declinedAt = 1;

        assertThat(walk(open(1_024), 0)).isEqualTo(asWritten(0));
        assertThat(written()).isEqualTo(2 * 15);
    }

    @Test
    void aStrandThatThrowsEndsAlone() throws Throwable {
        throwsAt = 2;

        assertThat(walk(open(1_024), 0)).isEqualTo(asWritten(0));
        assertThat(written()).isEqualTo(2 * 15);
    }

    @Test
    void anActivationWithoutNodeIsAsWritten() throws Throwable {
        assertThat(StrandNode.next(null, SELF)).isNull();
        assertThat(StrandNode.take(null, SIZE)).isNull();
        StrandNode.leave(null);
        StrandNode.fail(null);
        assertThat(walk(null, 0)).isEqualTo(asWritten(0));
    }
}
