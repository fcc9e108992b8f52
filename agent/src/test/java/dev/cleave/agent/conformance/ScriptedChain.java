package dev.cleave.agent.conformance;

import dev.cleave.call.Chain;
import dev.cleave.call.Handle;
import java.util.ArrayList;
import java.util.List;

/**
 * One chain at the scripted server: executes in order, as far as the dice say or somebody waits, and nothing behind the
 * first failure. What was not executed is made anew at its await, as the client does.
 */
final class ScriptedChain {

    private final ScriptedService service;
    private final Chain chain;
    private final List<Link> links = new ArrayList<>();
    private int executed;
    private boolean broken;

    ScriptedChain(ScriptedService service, Chain chain) {
        this.service = service;
        this.chain = chain;
    }

    Handle add(String method, Object[] arguments) {
        if (broken && !chain.isBroken() && links.stream().allMatch(link -> link.ended)) {
            links.clear();
            executed = 0;
            broken = false;
        }
        Link link = new Link(method, arguments);
        links.add(link);
        service.begin(method, chain);
        int upTo = service.random.nextInt(2 * links.size());
        while (!broken && executed < links.size() && executed < upTo) {
            next();
        }
        return link;
    }

    /** Executes the next call. */
    private void next() {
        Link link = links.get(executed++);
        link.outcome = service.execute(link.method, link.arguments);
        if (link.outcome instanceof Throwable) {
            breakOff();
        }
    }

    private void breakOff() {
        broken = true;
        if (service.random.nextBoolean()) {
            chain.breakOff();
        }
    }

    /** A call of the chain. */
    private final class Link extends Handle {

        private final String method;
        private final Object[] arguments;
        private Object outcome;
        private boolean ended;

        Link(String method, Object[] arguments) {
            this.method = method;
            this.arguments = arguments;
        }

        private Object finish() {
            while (outcome == null && !broken) {
                next();
            }
            if (outcome == null) {
                outcome = service.execute(method, arguments);
            }
            if (broken) {
                chain.breakOff();
            }
            end();
            return ScriptedHandle.orThrow(outcome);
        }

        private void end() {
            if (!ended) {
                ended = true;
                service.end(method);
            }
        }

        @Override
        public void origin() {}

        @Override
        public boolean hasAnswer() {
            return true;
        }

        @Override
        public boolean isDone() {
            return outcome != null && service.random.nextInt(4) == 0;
        }

        @Override
        public void awaitVoid() {
            finish();
        }

        @Override
        public int awaitInt() {
            return (int) finish();
        }

        @Override
        public long awaitLong() {
            return (long) finish();
        }

        @Override
        public float awaitFloat() {
            return (float) finish();
        }

        @Override
        public double awaitDouble() {
            return (double) finish();
        }

        @Override
        public Object await() {
            return finish();
        }

        @Override
        public void discard() {
            if (!ended) {
                service.discarded(method);
                if (service.random.nextBoolean()) {
                    while (outcome == null && !broken) {
                        next();
                    }
                }
                if (outcome == null) {
                    broken = true;
                    chain.breakOff();
                }
                end();
            }
        }
    }
}
