package dev.cleave.jmh.bench.programs;

import dev.cleave.Cleave;
import dev.cleave.Pending;
import dev.cleave.jmh.bench.programs.Threads.Task;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** {@link Quotes} by hand: all articles at once, then again those whose supplier was busy. */
final class QuotesByHand {

    private static final int ATTEMPTS = 3;

    private QuotesByHand() {}

    /** The answer for an article. */
    private static final class Answer {

        private final StringBuilder lines = new StringBuilder();
        private @Nullable Double price;

        private void quoted(int article, double amount) {
            price = amount;
            lines.append(article).append(' ').append(amount).append('\n');
        }

        private void busy(BusyException e) {
            lines.append(e.getMessage()).append('\n');
        }
    }

    /**
     * A question.
     *
     * @param article the article
     * @param price its answer
     */
    private record Question(int article, Pending<Double> price) {}

    static String staged(Supplier supplier, int articles) {
        List<Answer> answers = new ArrayList<>();
        List<Integer> open = new ArrayList<>();
        for (int article = 0; article < articles; article++) {
            answers.add(new Answer());
            open.add(article);
        }
        for (int attempt = 1; attempt <= ATTEMPTS && !open.isEmpty(); attempt++) {
            int asked = attempt;
            List<Question> questions = new ArrayList<>();
            for (int article : open) {
                questions.add(new Question(article, Cleave.async(() -> supplier.quote(article, asked))));
            }
            open = new ArrayList<>();
            for (Question question : questions) {
                if (!hasAnswer(question, answers.get(question.article()))) {
                    open.add(question.article());
                }
            }
        }
        return text(answers);
    }

    private static boolean hasAnswer(Question question, Answer answer) {
        try {
            answer.quoted(question.article(), await(question.price()));
            return true;
        } catch (BusyException e) {
            answer.busy(e);
            return false;
        }
    }

    /**
     * Awaits a call. {@link Pending#await} throws the exception of the call without declaring it; this method declares
     * it.
     */
    @SuppressWarnings("RedundantThrows")
    private static double await(Pending<Double> price) throws BusyException {
        return price.await();
    }

    static String threaded(Threads threads, Supplier supplier, int articles) {
        List<Task<Answer>> tasks = new ArrayList<>();
        for (int a = 0; a < articles; a++) {
            int article = a;
            tasks.add(threads.start(() -> ask(supplier, article)));
        }
        return text(tasks.stream().map(Task::join).toList());
    }

    private static Answer ask(Supplier supplier, int article) {
        Answer answer = new Answer();
        for (int attempt = 1; attempt <= ATTEMPTS; attempt++) {
            try {
                answer.quoted(article, supplier.quote(article, attempt));
                break;
            } catch (BusyException e) {
                answer.busy(e);
            }
        }
        return answer;
    }

    private static String text(List<Answer> answers) {
        StringBuilder out = new StringBuilder();
        double total = 0;
        for (Answer answer : answers) {
            out.append(answer.lines);
            total += answer.price == null ? 0 : answer.price;
        }
        return out.append("all ").append(total).append('\n').toString();
    }
}
