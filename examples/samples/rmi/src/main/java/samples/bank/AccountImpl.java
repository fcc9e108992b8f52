package samples.bank;

import java.rmi.RemoteException;
import java.rmi.server.UnicastRemoteObject;

public class AccountImpl extends UnicastRemoteObject implements Account {

    private static final long serialVersionUID = 1;

    private final String owner;
    private long balance;

    public AccountImpl(String owner) throws RemoteException {
        super();
        this.owner = owner;
    }

    @Override
    public String owner() {
        return owner;
    }

    @Override
    public synchronized long balance() {
        return balance;
    }

    @Override
    public synchronized void deposit(long cents) {
        if (cents <= 0) {
            throw new IllegalArgumentException("deposit of " + cents);
        }
        balance += cents;
    }

    @Override
    public synchronized void withdraw(long cents) throws OverdrawnException {
        if (cents > balance) {
            throw new OverdrawnException(owner + " has too little", cents - balance);
        }
        balance -= cents;
    }

    @Override
    public void transfer(Account to, long cents) throws RemoteException, OverdrawnException {
        withdraw(cents);
        to.deposit(cents);
    }
}
