package dev.cleave.agent.scan;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("one-jdk")
class ProgramClassesTest {

    @Test
    void classesOfTheProgramMayCallRemoteMethods() {
        assertThat(ProgramClasses.mayCallRemote("com/acme/Shop")).isTrue();
        assertThat(ProgramClasses.mayCallRemote("io/nettyish/Shop")).isTrue();
        assertThat(ProgramClasses.mayCallRemote("dev/cleave/examples/Shop")).isTrue();
    }

    @Test
    void librariesOfTheCoreMayNot() {
        assertThat(ProgramClasses.mayCallRemote("io/netty/channel/Channel")).isFalse();
        assertThat(ProgramClasses.mayCallRemote("com/esotericsoftware/kryo/Kryo"))
                .isFalse();
        assertThat(ProgramClasses.mayCallRemote("org/objenesis/Objenesis")).isFalse();
    }

    @Test
    void whatIsNotOfTheProgramMayNot() {
        assertThat(ProgramClasses.mayCallRemote("java/util/List")).isFalse();
        assertThat(ProgramClasses.mayCallRemote("dev/cleave/node/Node")).isFalse();
        assertThat(ProgramClasses.mayCallRemote("org/mockito/Mockito")).isFalse();
    }

    /** Whether their classes are the program's decides other questions, such as which implementations a call may reach. */
    @Test
    void librariesOfTheCoreAreReadAsAnyOther() {
        assertThat(ProgramClasses.isProgram("io/netty/channel/Channel")).isTrue();
    }
}
