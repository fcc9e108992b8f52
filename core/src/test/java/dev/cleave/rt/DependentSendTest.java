package dev.cleave.rt;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cleave.call.Chain;
import dev.cleave.call.Handle;
import dev.cleave.call.Stub;
import java.lang.invoke.CallSite;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Sends that are given pending results. */
class DependentSendTest {

    /** What a program calls. */
    public interface Mixer {
        /** Mixes. */
        int mix(int one, String text, int two);
    }

    /** Adds what it is given; passed results count a thousandfold. */
    public static final class MixingStub extends Stub implements Mixer {

        @Override
        public String service() {
            return "mixer";
        }

        @Override
        public int mix(int one, String text, int two) {
            return one + two;
        }

        /** The twin. */
        public Handle mix$chain(Chain chain, int one, String text, int two) throws Throwable {
            Map<Integer, Handle> passed = chain.takePassed();
            int first = passed.containsKey(0) ? 1000 * passed.get(0).awaitInt() : one;
            int second = passed.containsKey(2) ? 1000 * passed.get(2).awaitInt() : two;
            return new IntHandle(first + text.length() + second, true);
        }
    }

    private static final MethodType BOTH = MethodType.methodType(
            Object.class, Mixer.class, Object.class, Object.class, int.class, String.class, Object.class, int.class);

    private final CallSite site =
            Rt.sendDependent(MethodHandles.lookup(), "mix", BOTH, "DependentSendTest.program", 7, 0b101);

    private Object send(Mixer receiver, Object chain, Object one, Object two) throws Throwable {
        return site.dynamicInvoker().invoke(receiver, chain, one, 5, "ab", two, 7);
    }

    @Test
    void passesTheResultsThatAreThereAndTheArgumentsInThePlaceOfOthers() throws Throwable {
        Mixer stub = new MixingStub();
        Object chain = Rt.dependentChain();
        Object none = send(stub, chain, null, null);
        Object first = send(stub, chain, none, null);
        Object both = send(stub, chain, none, first);

        assertThat(Rt.awaitInt(none)).isEqualTo(5 + 2 + 7);
        assertThat(Rt.awaitInt(first)).isEqualTo(14_000 + 2 + 7);
        assertThat(Rt.awaitInt(both)).isEqualTo(14_000 + 2 + 14_009_000);
        assertThat(Rt.awaitInt(send(stub, chain, null, null)))
                .as("nothing is left over")
                .isEqualTo(14);
    }

    @Test
    void declinesForLocalObjects() throws Throwable {
        Mixer local = (one, text, two) -> one;

        assertThat(send(local, Rt.dependentChain(), null, null)).isNull();
        assertThat(send(null, Rt.dependentChain(), null, null)).isNull();
    }
}
