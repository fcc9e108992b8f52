package dev.cleave.node;

import dev.cleave.Ref;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** Serves a {@link Desk} on a node. */
class RealDesk implements Desk {

    private final Node node;
    private final List<Listener> made = new ArrayList<>();
    final AtomicInteger executed = new AtomicInteger();
    volatile Listener kept;
    volatile Ref<Matrix> held;
    volatile Matrix last;

    RealDesk(Node node) {
        this.node = node;
    }

    @Override
    public int call(Listener listener, String text) {
        executed.incrementAndGet();
        return listener == null ? -1 : listener.heard(text);
    }

    @Override
    public int callAgain(Listener listener, String text) {
        return call(listener, text);
    }

    @Override
    public void keep(Listener listener) {
        executed.incrementAndGet();
        kept = listener;
    }

    @Override
    public int callKept(String text) {
        return kept.heard(text);
    }

    @Override
    public void forget() {
        kept = null;
        held = null;
        last = null;
    }

    @Override
    public int callAll(List<Listener> listeners, String text) {
        executed.incrementAndGet();
        return listeners.stream().mapToInt(l -> l.heard(text)).sum();
    }

    @Override
    public int callIn(Subscription subscription, String text) {
        return subscription.listener().heard(subscription.topic() + text);
    }

    @Override
    public Listener make(int base) {
        Listener listener = text -> base + text.length();
        synchronized (made) {
            made.add(listener);
        }
        return listener;
    }

    @Override
    public List<Listener> makeMany(int count) {
        List<Listener> many = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            int base = i;
            many.add(text -> base + text.length());
        }
        return many;
    }

    @Override
    public boolean isMine(Listener listener) {
        synchronized (made) {
            return made.stream().anyMatch(l -> l == listener);
        }
    }

    @Override
    public boolean areSame(Listener one, Listener two) {
        return one == two;
    }

    @Override
    public Listener echo(Listener listener) {
        return listener;
    }

    @Override
    public Desk introduce(Desk other) {
        return other;
    }

    @Override
    public int through(Desk other, Listener listener, String text) {
        return other.call(listener, text);
    }

    @Override
    public void tell(Other other) {
        other.nothing();
    }

    @Override
    public Ref<Matrix> put(Matrix matrix) {
        last = matrix;
        return node.put(matrix);
    }

    @Override
    public double sum(Ref<Matrix> matrix) {
        return Arrays.stream(matrix.get().cells()).sum();
    }

    @Override
    public double sumThrough(Desk other, Ref<Matrix> matrix) {
        return other.sum(matrix);
    }

    @Override
    public Ref<Matrix> hold(Ref<Matrix> matrix) {
        held = matrix;
        return matrix;
    }

    @Override
    public boolean isHere(Ref<Matrix> matrix) {
        return matrix.get() == last;
    }
}
