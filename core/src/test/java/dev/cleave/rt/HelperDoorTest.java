package dev.cleave.rt;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.invoke.CallSite;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import org.junit.jupiter.api.Test;

class HelperDoorTest {

    private static final String KEY = "p.Helper.score(I)I";

    static class Above {
        static MethodHandles.Lookup lookup() {
            return MethodHandles.lookup();
        }
    }

    static final class Below extends Above {}

    static final class Renewed {
        static MethodHandles.Lookup lookup() {
            return MethodHandles.lookup();
        }
    }

    @Test
    void isShutUntilTheHelperHasShownItselfAndTheCallerHasReachedIt() throws Throwable {
        HelperDoor door = door(Below.class, Above.class, "shown");

        door.reached();
        assertThat(door.isOpen()).as("before the helper was linked").isFalse();
        enter(Above.lookup(), "other");
        assertThat(door.isOpen()).as("another contract").isFalse();
        enter(Above.lookup(), "shown");
        assertThat(door.isOpen()).isTrue();
        HelperDoor second = door(Above.class, Above.class, "shown");
        assertThat(second.isOpen()).as("not reached from there yet").isFalse();
        second.reached();
        assertThat(second.isOpen()).isTrue();
    }

    @Test
    void classesOfTheSameNameThatAreNotReachedDoNotOpenIt() throws Throwable {
        HelperDoor door = HelperDoorTest.<HelperDoor>link(HelperDoor.door(
                MethodHandles.lookup(),
                "door",
                MethodType.methodType(HelperDoor.class),
                "no.such.Helper",
                "no.such.Helper",
                "shown"));

        door.reached();

        assertThat(door.isOpen()).isFalse();
    }

    @Test
    void isShutAgainWhenTheClassIsRedefined() throws Throwable {
        HelperDoor door = door(Renewed.class, Renewed.class, "renewed");
        enter(Renewed.lookup(), "renewed");
        door.reached();
        assertThat(door.isOpen()).isTrue();

        HelperDoor.redefined(Renewed.class);
        assertThat(door.isOpen()).isFalse();

        enter(Renewed.lookup(), "renewed");
        assertThat(door.isOpen()).as("the new code has a helper, too").isTrue();
    }

    @Test
    void theBeginningOfAHelperTakesWhatItWasHanded() throws Throwable {
        Passage passage = Passage.current();
        CallSite site = HelperDoor.enter(
                Renewed.lookup(), "enter", MethodType.methodType(Object.class, Passage.class), KEY, "taken");

        passage.ask(KEY);
        Object asked = site.dynamicInvoker().invoke(passage);

        assertThat(Passage.isAsked(asked)).isTrue();
        assertThat((Object) site.dynamicInvoker().invoke(passage)).isNull();
    }

    private static HelperDoor door(Class<?> named, Class<?> declaring, String contract) throws Throwable {
        return link(HelperDoor.door(
                MethodHandles.lookup(),
                "door",
                MethodType.methodType(HelperDoor.class),
                named.getName(),
                declaring.getName(),
                contract));
    }

    private static void enter(MethodHandles.Lookup helper, String contract) {
        HelperDoor.enter(helper, "enter", MethodType.methodType(Object.class, Passage.class), KEY, contract);
    }

    @SuppressWarnings("unchecked") // each door's site gives a door
    private static <T> T link(CallSite site) throws Throwable {
        return (T) site.dynamicInvoker().invoke();
    }
}
