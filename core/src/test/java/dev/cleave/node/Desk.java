package dev.cleave.node;

import dev.cleave.Idempotent;
import dev.cleave.Ref;
import dev.cleave.Remote;
import java.util.List;

/** A service that is given references, and gives some. */
@Remote
interface Desk {

    /** What is called back. */
    @Remote
    interface Listener {

        int heard(String text);

        /** Goes on as long as its text says. */
        default int twice(String text) {
            return heard(text) + heard(text);
        }
    }

    /** Names no type that {@link Desk} names. */
    @Remote
    interface Other {

        void nothing();
    }

    /** A value with a reference inside. */
    record Subscription(String topic, Listener listener) {}

    /** A value by reference that is of a class of ours. */
    record Matrix(int rows, double[] cells) {}

    int call(Listener listener, String text);

    @Idempotent
    int callAgain(Listener listener, String text);

    void keep(Listener listener);

    int callKept(String text);

    void forget();

    int callAll(List<Listener> listeners, String text);

    int callIn(Subscription subscription, String text);

    Listener make(int base);

    List<Listener> makeMany(int count);

    boolean isMine(Listener listener);

    boolean areSame(Listener one, Listener two);

    Listener echo(Listener listener);

    Desk introduce(Desk other);

    int through(Desk other, Listener listener, String text);

    void tell(Other other);

    Ref<Matrix> put(Matrix matrix);

    double sum(Ref<Matrix> matrix);

    double sumThrough(Desk other, Ref<Matrix> matrix);

    Ref<Matrix> hold(Ref<Matrix> matrix);

    boolean isHere(Ref<Matrix> matrix);
}
