"""How units fight: the attack sequence, exactly and rolled, weapons, and the commands around an attack."""
