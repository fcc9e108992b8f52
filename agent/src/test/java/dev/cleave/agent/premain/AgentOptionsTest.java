package dev.cleave.agent.premain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("one-jdk")
class AgentOptionsTest {

    @Test
    void nothingIsNeeded() {
        assertThat(AgentOptions.parse(null)).isEqualTo(new AgentOptions(null, null, false));
        assertThat(AgentOptions.parse("")).isEqualTo(new AgentOptions(null, null, false));
    }

    @Test
    void readsAllOptions() {
        assertThat(AgentOptions.parse("report=a.txt,config=cleave.yaml,quiet"))
                .isEqualTo(new AgentOptions("a.txt", "cleave.yaml", true));
    }

    @Test
    void dashIsTheErrorStream() {
        assertThat(AgentOptions.parse("report=-")).isEqualTo(new AgentOptions(null, null, false));
    }

    @Test
    void refusesUnknownOptions() {
        assertThatThrownBy(() -> AgentOptions.parse("quiet,raport=x"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("agent option: raport=x (expected: report=FILE, config=FILE, quiet)");
        assertThatThrownBy(() -> AgentOptions.parse("quiet=yes")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> AgentOptions.parse("report=")).isInstanceOf(IllegalArgumentException.class);
    }
}
