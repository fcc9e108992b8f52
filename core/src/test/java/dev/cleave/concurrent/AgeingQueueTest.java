package dev.cleave.concurrent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cleave.testing.Seed;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("one-jdk")
class AgeingQueueTest {

    private static final class Job extends AgeingQueue.Entry {

        private final int number;
        private final double priority;
        private boolean awaited;

        private Job(int number, double priority) {
            this.number = number;
            this.priority = priority;
            priority(priority);
        }

        private Job byPriority() {
            prefersBlocked(false);
            return this;
        }

        @Override
        public String toString() {
            return "job " + number;
        }
    }

    private final AgeingQueue<Job> queue = new AgeingQueue<>();

    private List<Integer> taken() {
        List<Integer> taken = new ArrayList<>();
        for (Job job = queue.poll(); job != null; job = queue.poll()) {
            taken.add(job.number);
        }
        return taken;
    }

    @Test
    void equalsGoInTheOrderInWhichTheyCame() {
        IntStream.range(0, 1_000).forEach(i -> queue.add(new Job(i, 0)));

        assertThat(taken()).isEqualTo(IntStream.range(0, 1_000).boxed().toList());
        assertThat(queue.isEmpty()).isTrue();
        assertThat(queue.oldest()).isNull();
    }

    @Test
    void theHighestGoesFirstAndWhatIsNoNumberLast() {
        double[] priorities = {1, Double.NaN, 5, -3, 5, Double.POSITIVE_INFINITY};
        for (int i = 0; i < priorities.length; i++) {
            queue.add(new Job(i, priorities[i]));
        }

        assertThat(taken()).containsExactly(5, 2, 4, 0, 3, 1);
    }

    @Test
    void whatIsAwaitedOvertakesWhateverItsPriority() {
        Job low = new Job(0, 1);
        queue.add(new Job(1, 100));
        queue.add(low);
        queue.add(new Job(2, 50));

        queue.promote(low);
        queue.promote(low);

        assertThat(taken()).containsExactly(0, 1, 2);
    }

    @Test
    void whatPrefersItsPriorityOvertakesNoneOfHigherPriorityWhenItIsAwaited() {
        Job low = new Job(0, 1).byPriority();
        Job equal = new Job(1, 50).byPriority();
        queue.add(low);
        queue.add(new Job(2, 50).byPriority());
        queue.add(equal);
        queue.add(new Job(3, 100));

        queue.promote(low);
        queue.promote(equal);

        assertThat(taken()).containsExactly(3, 1, 2, 0);
    }

    @Test
    void whatIsNextIsOfEqualRankInOrderOfArrivalAndNowAndThenTheOldest() {
        Job oldest = new Job(0, 1);
        Job first = new Job(1, 9);
        queue.add(oldest);
        queue.add(first);
        queue.add(new Job(2, 3));
        queue.add(new Job(3, 9));

        assertThat(queue.next(10)).extracting(job -> job.number).containsExactly(1, 3);
        assertThat(queue.next(1)).containsExactly(first);
        assertThat(queue.takeChosen(first)).isTrue();
        assertThat(queue.takeChosen(first)).isFalse();
        for (int i = 2; i < AgeingQueue.OLDEST_EVERY; i++) {
            Job other = new Job(i, 100);
            queue.add(other);
            assertThat(queue.takeChosen(other)).isTrue();
        }
        assertThat(queue.next(10)).containsExactly(oldest);
    }

    @Test
    void nothingWaitsTwiceAndWhatIsGoneIsGone() {
        Job job = new Job(0, 0);
        queue.add(job);

        assertThatThrownBy(() -> queue.add(job)).isInstanceOf(IllegalStateException.class);
        assertThat(queue.contains(job)).isTrue();
        assertThat(queue.remove(job)).isTrue();
        assertThat(queue.remove(job)).isFalse();
        assertThat(queue.contains(job)).isFalse();
        queue.promote(job);
        assertThat(queue.size()).isZero();
    }

    @Test
    void doesWhatASortedListDoes() {
        long seed = Seed.of(AgeingQueueTest.class);
        Random random = new Random(seed);
        List<Job> model = new ArrayList<>(); // in the order of arrival
        Comparator<Job> order = Comparator.comparing((Job j) -> !j.awaited).thenComparing(j -> -j.priority);
        int taken = 0;
        for (int i = 0; i < 20_000; i++) {
            int what = random.nextInt(10);
            if (what < 5) {
                Job job = new Job(i, random.nextInt(20));
                queue.add(job);
                model.add(job);
            } else if (what < 8) {
                Job expected = null;
                if (!model.isEmpty()) {
                    expected = ++taken % AgeingQueue.OLDEST_EVERY == 0
                            ? model.get(0)
                            : model.stream().min(order).orElseThrow();
                    model.remove(expected);
                }
                assertThat(queue.poll()).as("seed %d, step %d", seed, i).isSameAs(expected);
            } else if (!model.isEmpty()) {
                Job job = model.get(random.nextInt(model.size()));
                if (what == 8) {
                    queue.remove(job);
                    model.remove(job);
                } else {
                    queue.promote(job);
                    job.awaited = true;
                }
            }
            assertThat(queue.size()).isEqualTo(model.size());
            assertThat(queue.oldest()).isSameAs(model.isEmpty() ? null : model.get(0));
        }
        List<Job> even = queue.newest(model.size(), job -> job.number % 2 == 0);
        Collections.reverse(even);
        assertThat(even).isEqualTo(model.stream().filter(j -> j.number % 2 == 0).toList());
    }

    @Test
    void whatHasNOlderOnesIsTakenAfterAtMostSixteenTimesAsManyWhateverComes() {
        long seed = Seed.of(AgeingQueueTest.class);
        Random random = new Random(seed);
        int older = random.nextInt(50);
        IntStream.range(0, older).forEach(i -> queue.add(new Job(i, random.nextDouble())));
        Job lowest = new Job(-1, -1e9);
        queue.add(lowest);

        int taken = 0;
        while (queue.contains(lowest)) {
            Job rival = new Job(older + taken, 1e9 * random.nextDouble()); // better ones keep coming
            queue.add(rival);
            queue.promote(rival);
            queue.poll();
            taken++;
        }

        assertThat(taken).as("seed %d", seed).isLessThanOrEqualTo(AgeingQueue.OLDEST_EVERY * (older + 1));
    }

    @Test
    void aHundredThousandThatWaitCostLittleEach() {
        Random random = new Random(1);
        List<Job> jobs = new ArrayList<>();
        for (int i = 0; i < 300_000; i++) {
            jobs.add(new Job(i, random.nextInt(1_000_000)));
        }
        long least = Long.MAX_VALUE;
        for (int round = 0; round < 5 && least / 200_000 >= 20_000; round++) {
            jobs.subList(0, 100_000).forEach(queue::add);
            long began = System.nanoTime();
            for (int i = 100_000; i < 300_000; i++) {
                queue.add(jobs.get(i));
                queue.poll();
            }
            least = Math.min(least, System.nanoTime() - began);
            queue.newest(queue.size(), job -> true).forEach(queue::remove);
        }

        // 1 us each is what the benchmark shows; here other work may be going on beside
        assertThat(least / 200_000).as("ns for one in and one out").isLessThan(20_000);
    }
}
