package dev.cleave.agent.conformance;

import dev.cleave.call.Chain;
import dev.cleave.call.Handle;
import dev.cleave.call.Primitives;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * One chain at the scripted server: executes in order, as far as the dice say or somebody waits, and nothing behind the
 * first failure. What was not executed is made anew at its await, as the client does; so is what needs a result that was
 * passed on but not kept. A result that the program only passes on never comes to it: the program gets nothing, unless a
 * call that is to have it was not executed.
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

    /** Sends a call; null if it is given a result that is not one of this chain, or might run before the last one. */
    Handle add(Object stub, String method, Object[] arguments) {
        Map<Integer, Handle> passed = chain.takePassed();
        int uses = chain.takeUses();
        if (!chain.accepts(stub)) {
            return null;
        }
        if (!links.containsAll(passed.values()) || !passed.isEmpty() && service.random.nextInt(8) == 0) {
            return null;
        }
        if (broken && !chain.isBroken() && links.stream().allMatch(link -> link.ended)) {
            links.clear();
            executed = 0;
            broken = false;
        }
        Link link = new Link(method, arguments, passed, uses);
        passed.values().forEach(source -> ((Link) source).takers.add(link));
        links.add(link);
        service.begin(method, method.startsWith("link") ? chain : "async");
        int upTo = service.random.nextInt(2 * links.size());
        while (!broken && executed < links.size() && executed < upTo) {
            next();
        }
        return link;
    }

    /** Executes the next call. */
    private void next() {
        Link link = links.get(executed++);
        if (!link.passed.isEmpty() && (service.random.nextInt(8) == 0 || !link.fits())) {
            breakOff(); // a result is not kept
            return;
        }
        link.execute();
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
    private final class Link extends ScriptedAwaits {

        private final String method;
        private final Object[] arguments;
        private final Map<Integer, Handle> passed;
        private final String user = ProbeUser.USER.get();
        private final int uses;
        private final List<Link> takers = new ArrayList<>();
        private Object outcome;
        private boolean ended;

        Link(String method, Object[] arguments, Map<Integer, Handle> passed, int uses) {
            this.uses = uses;
            this.method = method;
            this.arguments = arguments;
            this.passed = passed;
        }

        private void execute() {
            passed.forEach((parameter, source) -> {
                Object result = ((Link) source).outcome;
                arguments[parameter] = result instanceof int[] array ? array.clone() : taken(parameter, result);
            });
            service.user = user;
            outcome = service.execute(method, arguments);
        }

        /** What the parameter takes of a result. */
        private Object taken(int parameter, Object outcome) {
            Object result = outcome == ScriptedService.MISSING ? null : outcome;
            Class<?> type = service.parameters(method)[parameter];
            Object taken = Primitives.passed(type, result);
            if (taken == null && (result != null || type.isPrimitive())) {
                throw new AssertionError(method + " is given " + result);
            }
            return taken;
        }

        /** Whether the server can put a result into each of its parameters. */
        private boolean fits() {
            return passed.entrySet().stream().allMatch(each -> {
                Object known = ((Link) each.getValue()).outcome;
                Object result = known == ScriptedService.MISSING ? null : known;
                Class<?> type = service.parameters(method)[each.getKey()];
                return !(result instanceof Throwable)
                        && (result == null ? !type.isPrimitive() : Primitives.passed(type, result) != null);
            });
        }

        @Override
        Object finish() {
            while (outcome == null && !broken) {
                next();
            }
            if (outcome == null) {
                execute();
            }
            if (broken) {
                chain.breakOff();
            }
            end();
            if (hasStayed()) {
                service.stayed++;
                return null;
            }
            return ScriptedHandle.orThrow(outcome);
        }

        /** Whether the result is at the server alone, and all calls that it is for have it. */
        private boolean hasStayed() {
            if (outcome instanceof Throwable || uses == 0 || takers.size() != uses) {
                return false;
            }
            while (!broken && takers.stream().anyMatch(taker -> taker.outcome == null)) {
                next();
            }
            return takers.stream().noneMatch(taker -> taker.outcome == null);
        }

        private void end() {
            if (!ended) {
                ended = true;
                service.end(method);
            }
        }

        @Override
        public boolean hasAnswer() {
            return true;
        }

        @Override
        public boolean isDone() {
            return outcome != null && service.random.nextInt(4) == 0;
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
